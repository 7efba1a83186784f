import type { RoomPageProps } from '../../../shared/rooms/page-props.ts'
import { live, outbox } from '../../core/live/state.ts'
import { loadLazy } from '../../core/loading/load-lazy.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { session } from '../../core/session/session.ts'
import { roomSubscription } from '../rooms/state.ts'
import { RoomConversations } from './room-conversations.ts'

export const roomConversations = new RoomConversations(
  { environment: browserEnvironment, live, outbox },
  roomSubscription,
  async () => (await loadLazy(() => import('./files-state.lazy.ts'))).roomFiles,
)

/** Called when a room's page is shown: opens the connection and enters the room from the page's cursor. */
export function openRoom(page: RoomPageProps): void {
  session.saveLastRoom(page.room.id)
  roomSubscription.openPage(page)
}
