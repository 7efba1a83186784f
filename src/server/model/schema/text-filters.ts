import type {
  AlertId,
  FilterEntryId,
  FilterHitId,
  HeldTextId,
  MessageId,
  UserId,
} from '../../../shared/protocol/ids.ts'
import type { FilterAction } from '../../../shared/text-filters/apply-filter.ts'
import type { Flag } from '../../kernel/database/schema.ts'

/** What a submitted text belongs to; a name belongs to the profile. */
export type PlaceKind = 'room' | 'direct' | 'comment' | 'post' | 'profile' | 'roomText'

export interface TextFilterTables {
  filterEntry: {
    id: FilterEntryId
    pattern: string
    /** Unique: `patternKey` of the pattern. */
    patternKey: string
    match: 'word' | 'stem'
    action: FilterAction
    replacement: string | null
    /** A JSON array of words. */
    exceptions: string
    changedAt: number
  }
  /** One row. */
  textFilter: {
    id: 1
    /** Differs for every state of the entries that has been. */
    revision: string
    entryCount: number
    linkMinDays: number
    guestsMayLink: Flag
    /** JSON arrays of host names. */
    allowedHosts: string
    ownHosts: string
  }
  filterHit: {
    id: FilterHitId
    userId: UserId
    placeKind: PlaceKind
    placeId: number | null
    /** Of a message; with the user it finds the message. */
    clientId: string | null
    pattern: string
    word: string
    /** null for a direct message. */
    excerpt: string | null
    action: FilterAction
    at: number
  }
  /** Texts that wait for review. */
  heldText: {
    id: HeldTextId
    userId: UserId
    placeKind: 'room' | 'direct' | 'comment'
    placeId: number
    text: string
    clientId: string | null
    replyToId: MessageId | null
    mediaId: number | null
    pattern: string
    word: string
    at: number
    /** Set while it is sent again; the filter lets it pass then. */
    releasedAt: number | null
  }
  /** What root admins should look at. */
  alert: {
    id: AlertId
    kind: 'word' | 'sameText' | 'manyMessages'
    /** Alerts with the same cause are counted in one while it is open. */
    cause: string
    userId: UserId | null
    placeKind: PlaceKind | null
    placeId: number | null
    clientId: string | null
    /** JSON. */
    details: string
    count: number
    raisedAt: number
    latestAt: number
    handledAt: number | null
    handledById: UserId | null
  }
}
