import type { Generated } from 'kysely'
import type { CapacityOptionId, DurationOptionId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { RoomPreference } from '../../../shared/rooms/rules.ts'
import type { Flag } from '../../kernel/database/schema.ts'

export interface RoomTables {
  room: {
    id: Generated<RoomId>
    name: string
    foldedName: string
    /** What the name looks like (shared/text/name-skeleton.ts); null until it is stored. */
    skeleton: Generated<string | null>
    greetingMessage: string | null
    capacity: number
    isList: Flag
    isActive: Flag
    ownerId: UserId | null
    createdAt: number
    updatedAt: number
    expiryDate: number | null
    messagePreference: Generated<RoomPreference>
    mediaPreference: Generated<RoomPreference>
    slowModeSeconds: Generated<number>
    backgroundImage: Generated<string | null>
    smallBackgroundImage: Generated<string | null>
    backgroundImageHash: Generated<string | null>
    /** A PHC string; null without a password. It never leaves the server. */
    passwordHash: string | null
  }
  roomListVersion: { id: 1; version: number }
  roomAdmin: { roomId: RoomId; userId: UserId }
  capacityOption: {
    id: Generated<CapacityOptionId>
    numberOfPeople: number
    priceKurus: number
    /** When it was deleted; null while it can be ordered. */
    deletedAt: number | null
  }
  durationOption: {
    id: Generated<DurationOptionId>
    durationInMonths: number
    discountBasisPoints: number
    deletedAt: number | null
  }
}
