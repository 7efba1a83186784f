import type { Generated } from 'kysely'
import type { Gender, Platform, Role } from '../../shared/accounts/protocol.ts'
import type { BanDuration, BanReason } from '../../shared/moderation/protocol.ts'
import type { LoggedEventName } from '../../shared/protocol/catalogue.ts'
import type { BanId, FileId, MessageId, RoomId, SessionId, UserId } from '../../shared/protocol/ids.ts'
import type { AccountPrivacy, Privacy } from '../../shared/settings/rules.ts'
import type { Audience, Stream } from './streams.ts'

/** SQLite has no booleans: 0 or 1. */
export type Flag = 0 | 1

/** The tables after all migrations. Columns have the same names in SQL and in TypeScript. */
export interface Database {
  user: {
    id: Generated<UserId>
    username: string
    foldedName: string
    isGuest: Flag
    role: Role
    gender: Gender | null
    avatarUrl: string | null
    passwordHash: string | null
    lastLoginPlatform: Platform
    premiumUntil: number | null
    createdAt: number
    lastSeenAt: number
    nameReleasedAt: number | null
    age: number | null
    city: string | null
    bio: string | null
    largeAvatarUrl: string | null
    /** null: the default in shared/settings/rules.ts. */
    messagePrivacy: Privacy | null
    messageImagePrivacy: Privacy | null
    messageAudioPrivacy: Privacy | null
    voiceCallPrivacy: Privacy | null
    videoCallPrivacy: Privacy | null
    accountPrivacy: AccountPrivacy | null
    passwordChangedAt: number | null
    termsAcceptedAt: number | null
    termsVersion: string | null
  }
  session: {
    id: SessionId
    userId: UserId
    browserId: string | null
    platform: Platform
    createdAt: number
    lastSeenAt: number
    /** Short name of the browser and its system for the list of sessions. */
    device: string | null
    region: string | null
  }
  /** One user blocks another. */
  block: { blockerId: UserId; blockedId: UserId; createdAt: number }
  /** One user follows another, or has asked to. `at`: when it was accepted, or asked for. */
  follow: { followerId: UserId; followingId: UserId; isAccepted: 0 | 1; at: number }
  event: {
    seq: number
    stream: Stream
    actorId: UserId | null
    audience: Audience | null
    name: LoggedEventName
    payload: Uint8Array
    at: number
  }
  eventGap: { fromSeq: number; toSeq: number }
  commandAnswer: {
    userId: UserId
    clientId: string
    inputHash: Uint8Array
    answer: string
    expiresAt: number
  }
  room: {
    id: Generated<RoomId>
    name: string
    foldedName: string
    greetingMessage: string | null
    capacity: number
    isList: Flag
    isActive: Flag
    ownerId: UserId | null
    createdAt: number
    updatedAt: number
    expiryDate: number | null
  }
  roomAdmin: { roomId: RoomId; userId: UserId }
  message: {
    id: Generated<MessageId>
    roomId: RoomId
    senderId: UserId
    content: string
    consecutiveCount: number
    audience: Audience | null
    clientId: string
    createdAt: number
    /** The message that this one replies to; it may be deleted. */
    replyToId: MessageId | null
  }
  file: { id: Generated<FileId>; hash: string; size: number; at: number; unreferencedSince: Generated<number | null> }
  /** Full-text index (FTS5). `match` uses the hidden column with the table's own name; `words` is never read. */
  messageWord: { rowid: number; words: string; messageWord: Generated<string> }
  /** The distinct words of the index, in order (fts5vocab). */
  messageTerm: { term: string }
  /** One row: messages up to this id are in the index, unless they were removed. */
  messageIndex: { id: 1; indexedUpToId: MessageId }
  /** Bans from the whole site; lifted and expired bans are kept as history. */
  ban: {
    id: Generated<BanId>
    userId: UserId
    reason: BanReason
    duration: BanDuration
    bannedById: UserId
    at: number
    /** null: until it is lifted. */
    endsAt: number | null
    liftedAt: number | null
    liftedById: UserId | null
  }
  /** Keyed hashes of a banned guest's browser and address, so that a new guest name does not evade the ban. */
  banFingerprint: { hash: string; banId: BanId; kind: 'browser' | 'address' }
  /** Keyed hashes of a guest's last browser and address; deleted a day after the last visit. */
  guestFingerprint: { userId: UserId; browserHash: string | null; addressHash: string | null; lastSeenAt: number }
  /** Messages of one room or one sender that are hidden at once and deleted in steps. */
  removal: { id: Generated<number>; roomId: RoomId | null; senderId: UserId | null; upToId: MessageId }
  /** One row. */
  siteState: { id: 1; maintenanceSince: number | null }
  migration: { id: number; name: string; hash: string; oldestCode: number; at: number }
}
