import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { sendPopup } from './send-popup.ts'
import { sendRoomPopup } from './send-room-popup.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [sendPopup, sendRoomPopup],
}
