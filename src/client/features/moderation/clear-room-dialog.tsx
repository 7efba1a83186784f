import type { ReactNode } from 'react'
import { CLEAR_ROOM_LABEL } from '../../../shared/moderation/rules.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { ConfirmDialog } from '../../core/ui/dialogs/confirm-dialog.tsx'
import { clearRoom } from '../../model/moderation/bans.ts'

interface ClearRoomDialogProps extends OverlayProps {
  roomId: RoomId
  name: string
}

/** Asks before all messages of a room are removed. */
export function ClearRoomDialog({ roomId, name, onClose }: ClearRoomDialogProps): ReactNode {
  return (
    <ConfirmDialog title={CLEAR_ROOM_LABEL} confirmLabel="Temizle" run={() => clearRoom(roomId)} onClose={onClose}>
      <bdi>#{name}</bdi> odasında yazılmış her şey herkes için silinir. Bu geri alınamaz.
    </ConfirmDialog>
  )
}
