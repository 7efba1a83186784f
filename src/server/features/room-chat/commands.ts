import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { indexMessages } from '../../model/room-chat/index-messages.ts'
import { addMedia } from './add-media.ts'
import { deleteUnusedMedia } from './delete-unused-media.ts'
import { sendMessage } from './send-message.ts'
import { trimRoom } from './trim-large-rooms.ts'
import { trimMessages } from './trim-messages.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [indexMessages, sendMessage, addMedia, deleteUnusedMedia, trimMessages, trimRoom],
}
