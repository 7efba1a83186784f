import type { CommandName } from '../../shared/protocol/catalogue.ts'
import { updatePrivacySettings } from '../accounts/users/update-privacy-settings.ts'
import { handleBanUser, handleClearRoomMessages } from '../moderation/live-handlers.ts'
import { getMessages, searchMessages } from '../room-chat/history-handlers.ts'
import { handleSendMessage, handleTyping } from '../room-chat/live-handlers.ts'
import { getRooms, getRoomUsers, joinRoom } from '../rooms/live-handlers.ts'
import { getStatus, watchRooms } from '../site-status/live-handlers.ts'
import { confirmDuplicateConnection } from './duplicate-connections.ts'
import type { Handler } from './handler.ts'
import { hello } from './hello.ts'

/** Every command of the catalogue has its handler: a new one without it fails the type check. */
export const handlers: { [N in CommandName]: Handler<N> } = {
  hello,
  userConnected: () => ({ success: true }),
  adminConnected: () => ({ success: true }),
  confirmDuplicateConnection,
  getRooms,
  joinRoom,
  getRoomUsers,
  sendMessage: handleSendMessage,
  mentionNotification: () => ({ success: true }),
  getMessages,
  searchMessages,
  typing: handleTyping,
  getStatus,
  watchRooms,
  banUser: handleBanUser,
  clearRoomMessages: handleClearRoomMessages,
  updatePrivacySettings,
}
