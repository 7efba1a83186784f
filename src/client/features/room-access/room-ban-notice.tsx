import type { ReactNode } from 'react'
import { browserEnvironment } from '../../core/platform/environment.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'

interface RoomBanNoticeProps extends OverlayProps {
  message: string
  /** Where the viewer goes from the room. */
  next: string
}

/** The alert of a ban from the shown room; however it closes, the viewer leaves the room. */
export function RoomBanNotice({ message, next }: RoomBanNoticeProps): ReactNode {
  const leave = (): void => browserEnvironment.navigateTo(next)
  return (
    <Modal title="Odadan yasaklandın" onClose={leave}>
      <div className="stack gap-5">
        <p className="subject" role="alert">
          {message}
        </p>
        <div className="buttons">
          <button type="button" className="button button--accent" onClick={leave}>
            Tamam
          </button>
        </div>
      </div>
    </Modal>
  )
}
