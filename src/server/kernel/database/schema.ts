import type { Generated } from 'kysely'
import type { Gender, Platform, Role } from '../../../shared/accounts/protocol.ts'
import type { LoggedEventName } from '../../../shared/protocol/catalogue.ts'
import type { SessionId, UserId } from '../../../shared/protocol/ids.ts'
import type { AccountPrivacy, Privacy } from '../../../shared/settings/rules.ts'
import type { Audience, Stream } from './events/streams.ts'

/** SQLite has no booleans: 0 or 1. */
export type Flag = 0 | 1

/** The tables of the core, accounts among them, after all migrations. Columns have the same names in SQL and in TypeScript. */
export interface KernelTables {
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
  migration: { id: number; name: string; hash: string; oldestCode: number; at: number }
  user: {
    id: Generated<UserId>
    username: string
    foldedName: string
    /** What the name looks like (shared/text/name-skeleton.ts); null until it is stored. */
    skeleton: Generated<string | null>
    isGuest: Flag
    /** Ghost-banned: everybody but root admins sees a user who has left (model/moderation). */
    isGhost: Generated<Flag>
    role: Role
    gender: Gender | null
    avatarUrl: string | null
    passwordHash: string | null
    lastLoginPlatform: Platform
    premiumUntil: number | null
    /** The state of premium that the last userProfileUpdated has shown. */
    isShownPremium: Generated<Flag>
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
    /** Keyed hash of the browser's id (model/fingerprints/access.ts). */
    browserHash: string | null
    platform: Platform
    createdAt: number
    lastSeenAt: number
    /** Short name of the browser and its system for the list of sessions. */
    device: string | null
    region: string | null
    /** The number of the session's present key, which its tokens carry (session-keys.ts). */
    key: Generated<number>
    /** When a token with the present key was first used; null before. */
    keyUsedAt: Generated<number | null>
    /** The session's id before its user's role changed: its tokens can still be renewed. */
    previousId: Generated<SessionId | null>
  }
}
