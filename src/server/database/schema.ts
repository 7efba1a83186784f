import type { Generated } from 'kysely'
import type { Gender, Platform, Role } from '../../shared/accounts/protocol.ts'
import type { BanDuration, BanReason } from '../../shared/moderation/protocol.ts'
import type { LoggedEventName } from '../../shared/protocol/catalogue.ts'
import type { BanId, FileId, MessageId, RoomId, SessionId, UserId } from '../../shared/protocol/ids.ts'
import type { AccountPrivacy, Privacy } from '../../shared/settings/rules.ts'
import type { Audience, Stream } from './streams.ts'

/** SQLite has no booleans: 0 or 1. */
export type Flag = 0 | 1

/** The tables, as the migrations leave them. A column has one spelling in SQL and in TypeScript. */
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
    /** null: the default of shared/settings/rules.ts. */
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
    /** A few words of the browser and its system, as people call them. */
    device: string | null
    region: string | null
  }
  /** Who wants to hear nothing of whom. */
  block: { blockerId: UserId; blockedId: UserId; createdAt: number }
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
    expiresAt: number | null
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
    /** The message that this one answers; it may be gone. */
    replyToId: MessageId | null
  }
  file: { id: Generated<FileId>; hash: string; size: number; at: number; unreferencedSince: Generated<number | null> }
  /** The index of words (FTS5); its hidden column of the table's own name is what `match` asks. Words are never read back. */
  messageWord: { rowid: number; words: string; messageWord: Generated<string> }
  /** The words that the index has, each once, in order (fts5vocab). */
  messageTerm: { term: string }
  /** One row: messages up to this id are in the index, unless they were taken away. */
  messageIndex: { id: 1; indexedUpToId: MessageId }
  /** Bans from the whole site; those that are lifted or over stay as what happened. */
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
  /** By what else a banned guest is known again: keyed hashes of their browser and their address. */
  banFingerprint: { hash: string; banId: BanId; kind: 'browser' | 'address' }
  /** Through which browser and address a guest came last, as keyed hashes; forgotten a day after. */
  guestFingerprint: { userId: UserId; browserHash: string | null; addressHash: string | null; lastSeenAt: number }
  /** Messages that are hidden already and deleted step by step: of one room, or of one sender. */
  removal: { id: Generated<number>; roomId: RoomId | null; senderId: UserId | null; upToId: MessageId }
  /** One row. */
  siteState: { id: 1; maintenanceSince: number | null }
  migration: { id: number; name: string; hash: string; oldestCode: number; at: number }
}
