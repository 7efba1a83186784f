import type { CommandName } from '../../shared/protocol/catalogue.ts'
import { updatePrivacySettings } from '../accounts/live.ts'
import { banUser, clearRoomMessages } from '../moderation/live.ts'
import { getMessages, searchMessages } from '../room-chat/history.ts'
import { sendMessage, typing } from '../room-chat/live.ts'
import { getRooms, getRoomUsers, joinRoom } from '../rooms/live.ts'
import { getStatus, watchRooms } from '../shell/live.ts'
import { confirmDuplicateConnection } from './duplicates.ts'
import { hello } from './hello.ts'
import type { Handler } from './outcome.ts'

/** Every command of the catalogue has its handler: a new one without it fails the type check. */
export const handlers: { [N in CommandName]: Handler<N> } = {
  hello,
  userConnected: () => ({ success: true }),
  adminConnected: () => ({ success: true }),
  confirmDuplicateConnection,
  getRooms,
  joinRoom,
  getRoomUsers,
  sendMessage,
  mentionNotification: () => ({ success: true }),
  getMessages,
  searchMessages,
  typing,
  getStatus,
  watchRooms,
  banUser,
  clearRoomMessages,
  updatePrivacySettings,
}
