import type { Generated } from 'kysely'
import type { BanDuration } from '../../../shared/moderation/protocol.ts'
import type { RestrictionId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { FingerprintKind } from '../../../shared/text-filters/linked-accounts-protocol.ts'

/** A site ban and a ghost ban are of the whole site, a room ban is of a room, and a mute of one of these. */
export type RestrictionKind = 'siteBan' | 'ghostBan' | 'roomBan' | 'mute'

export interface RestrictionTables {
  /** Bans and mutes; lifted and expired ones are kept as history. A user has one of a kind and place that is not lifted. */
  restriction: {
    id: Generated<RestrictionId>
    kind: RestrictionKind
    userId: UserId
    /** null: the whole site. */
    roomId: RoomId | null
    /** Of a mute any text, of a ban one of `StoredBanReason`. */
    reason: string
    duration: BanDuration
    imposedById: UserId
    at: number
    /** null: until it is lifted. */
    endsAt: number | null
    liftedAt: number | null
    liftedById: UserId | null
    /** The restriction that this one repeats for another account from the same browser or address; null for the first. */
    sourceId: RestrictionId | null
  }
  /** The fingerprints that a restriction covers (model/fingerprints), so that a new name or account does not evade it. */
  restrictionFingerprint: { hash: string; restrictionId: RestrictionId; kind: FingerprintKind }
}
