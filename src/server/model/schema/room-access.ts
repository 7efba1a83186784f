import type { Generated } from 'kysely'
import type { BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import type { RoomBanId, RoomId, SessionId, UserId } from '../../../shared/protocol/ids.ts'

export interface RoomAccessTables {
  /** The sessions that gave the present password of a room. */
  roomGrant: { roomId: RoomId; sessionId: SessionId; userId: UserId }
  /** Bans from rooms; lifted and expired ones are kept as history. */
  roomBan: {
    id: Generated<RoomBanId>
    roomId: RoomId
    userId: UserId
    reason: BanReason
    duration: BanDuration
    bannedById: UserId
    at: number
    /** null: until it is lifted. */
    endsAt: number | null
    liftedAt: number | null
    liftedById: UserId | null
    /** The ban that this one repeats for another account from the same browser or address. */
    sourceId: RoomBanId | null
  }
  /** The fingerprints that a ban covers, as in `banFingerprint`. */
  roomBanFingerprint: { hash: string; banId: RoomBanId; kind: 'browser' | 'address' }
}
