import { DEFAULT_ROOM_ID } from '../../../shared/room-chat/limits.ts'
import { ROOM_DEACTIVATED_TEXT } from '../../../shared/room-orders/texts.ts'
import { openPath } from '../../core/navigation/open-path.ts'
import { toast } from '../../core/shell/toasts/toast.ts'

/** Says that the room is closed, and opens room 1. */
export function moveToDefaultRoom(): void {
  void toast(ROOM_DEACTIVATED_TEXT, 'warning')
  openPath(`/room/${DEFAULT_ROOM_ID}`)
}
