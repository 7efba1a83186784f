import type { ReactNode } from 'react'
import { MY_ROOMS_TITLE } from '../../../shared/room-orders/texts.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { NewRoomButton } from './new-room-button.tsx'
import { OwnRoomsView } from './own-rooms-view.tsx'

/** 'Oda Siparişlerim': the viewer's rooms. */
export function OwnRoomsDialog({ onClose }: OverlayProps): ReactNode {
  return (
    <Modal title={MY_ROOMS_TITLE} isFullScreen onClose={onClose}>
      <div className="stack gap-3">
        <NewRoomButton />
        <OwnRoomsView />
      </div>
    </Modal>
  )
}
