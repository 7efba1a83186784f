import type { Generated } from 'kysely'
import type { Gender, Platform, Role } from '../../shared/accounts/protocol.ts'

/** SQLite has no booleans: 0 or 1. */
export type Flag = 0 | 1

/** The tables, as the migrations leave them. A column has one spelling in SQL and in TypeScript. */
export interface Database {
  user: {
    id: Generated<number>
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
  }
  session: {
    id: number
    userId: number
    browserId: string | null
    platform: Platform
    createdAt: number
    lastSeenAt: number
  }
  event: {
    seq: number
    stream: string
    actorId: number | null
    audience: string | null
    name: string
    payload: Uint8Array
    at: number
  }
  eventGap: { fromSeq: number; toSeq: number }
  commandAnswer: {
    userId: number
    clientId: string
    inputHash: Uint8Array
    answer: string
    expiresAt: number | null
  }
  room: {
    id: Generated<number>
    name: string
    foldedName: string
    greetingMessage: string | null
    capacity: number
    isList: Flag
    isActive: Flag
    ownerId: number | null
    createdAt: number
    updatedAt: number
    expiryDate: number | null
  }
  roomAdmin: { roomId: number; userId: number }
  message: {
    id: Generated<number>
    roomId: number
    senderId: number
    content: string
    run: number
    audience: string | null
    clientId: string
    createdAt: number
    /** The message that this one answers; it may be gone. */
    replyToId: number | null
  }
  file: { id: Generated<number>; hash: string; size: number; at: number }
  /** The index of words (FTS5); its hidden column of the table's own name is what `match` asks. Words are never read back. */
  messageWord: { rowid: number; words: string; messageWord: Generated<string> }
  /** One row: messages up to this id are in the index, unless they were taken away. */
  messageIndex: { id: 1; indexedTo: number }
  migration: { id: number; name: string; hash: string; oldestCode: number; at: number }
}
