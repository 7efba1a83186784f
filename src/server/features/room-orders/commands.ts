import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { expireRooms } from './expire-rooms.ts'
import { orderRoom } from './order-room.ts'
import { renewRoom } from './renew-room.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [orderRoom, renewRoom, expireRooms],
}
