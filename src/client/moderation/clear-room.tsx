import { type ReactNode, useState } from 'react'
import { CLEAR_ENTRY } from '../../shared/moderation/rules.ts'
import type { OverlayProps } from '../shell/open.ts'
import { Modal } from '../ui/modal.tsx'
import { clearRoom } from './bans.ts'
import './moderation.css'

interface ClearRoomProps extends OverlayProps {
  roomId: number
  name: string
}

/** Asks before everything that was said in a room is taken away. */
export function ClearRoom({ roomId, name, onClose }: ClearRoomProps): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const clear = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    if (await clearRoom(roomId)) onClose()
    else setBusy(false)
  }
  return (
    <Modal title={CLEAR_ENTRY} onClose={onClose}>
      <div className="ban-form">
        <p className="ban-whom">
          <bdi>#{name}</bdi> odasında yazılmış her şey herkes için silinir. Bu geri alınamaz.
        </p>
        <div className="ban-deeds">
          <button type="button" className="button" onClick={onClose}>
            Vazgeç
          </button>
          <button type="button" className="button button--danger" aria-disabled={isBusy} onClick={clear}>
            {isBusy && <span className="spinner" />}
            Temizle
          </button>
        </div>
      </div>
    </Modal>
  )
}
