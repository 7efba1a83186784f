import type { Generated } from 'kysely'
import type { BanDuration, BanKind, StoredBanReason } from '../../shared/moderation/protocol.ts'
import type { BanId, MessageId, RoomId, UserId } from '../../shared/protocol/ids.ts'

declare module '../database/schema.ts' {
  interface Database {
    /** Bans from the whole site, and ghost bans; lifted and expired bans are kept as history. */
    ban: {
      id: Generated<BanId>
      userId: UserId
      kind: Generated<BanKind>
      reason: StoredBanReason
      duration: BanDuration
      bannedById: UserId
      at: number
      /** null: until it is lifted. */
      endsAt: number | null
      liftedAt: number | null
      liftedById: UserId | null
      /** The ghost ban that this one repeats for another user from the same browser or address; null for the first. */
      sourceId: Generated<BanId | null>
      /** Of a ghost ban: when others last saw the user, in epoch milliseconds; null in older rows. */
      seenAt: Generated<number | null>
    }
    /** Keyed hashes of a banned guest's browser and address, so that a new guest name does not evade the ban. */
    banFingerprint: { hash: string; banId: BanId; kind: 'browser' | 'address' }
    /** Keyed hashes of a guest's last browser and address; deleted a day after the last visit. */
    guestFingerprint: { userId: UserId; browserHash: string | null; addressHash: string | null; lastSeenAt: number }
    /** Messages of one room or one sender that are hidden at once and deleted in steps. */
    removal: { id: Generated<number>; roomId: RoomId | null; senderId: UserId | null; upToId: MessageId }
    /** The same for one sender's messages in one room. */
    roomSenderRemoval: { id: Generated<number>; roomId: RoomId; senderId: UserId; upToId: MessageId }
    /** One row. */
    siteState: { id: 1; maintenanceSince: number | null }
  }
}
