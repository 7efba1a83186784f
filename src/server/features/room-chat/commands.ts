import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { roomMediaCommands } from '../../model/conversations/media-commands.ts'
import { sendMessage } from '../../model/conversations/send-to-room.ts'
import { trimRoom } from './trim-large-rooms.ts'
import { trimMessages } from './trim-messages.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [sendMessage, ...Object.values(roomMediaCommands), trimMessages, trimRoom],
}
