import type { Generated } from 'kysely'
import type { BanDuration, BanKind, StoredBanReason } from '../../../shared/moderation/protocol.ts'
import type { BanId, MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'

export interface ModerationTables {
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
    /** The ban that this one repeats for another user from the same browser or address; null for the first. */
    sourceId: Generated<BanId | null>
  }
  /** The fingerprints that a ban covers (model/fingerprints), so that a new name or account does not evade it. */
  banFingerprint: { hash: string; banId: BanId; kind: 'browser' | 'address' }
  /** Messages of one room or one sender that are hidden at once and deleted in steps. */
  removal: { id: Generated<number>; roomId: RoomId | null; senderId: UserId | null; upToId: MessageId }
  /** The same for one sender's messages in one room. */
  roomSenderRemoval: { id: Generated<number>; roomId: RoomId; senderId: UserId; upToId: MessageId }
  /** One row. */
  siteState: { id: 1; maintenanceSince: number | null }
}
