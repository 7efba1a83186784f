import type Sqlite from 'better-sqlite3'
import type { NamedUser } from '../subjects/meydan.ts'

/** Conversations of one user to create; they share the messages evenly. */
export interface ConversationFill {
  ownerId: number
  conversations: number
  messages: number
}

/** Conversations with an unread message: a user leaves as many unread, however long the list is. */
const UNREAD = 30

/**
 * Creates users, their conversations with the owner, and messages of both in turns. Returns the
 * user of the first conversation.
 */
export function fillConversations(
  db: Sqlite.Database,
  { ownerId, conversations, messages }: ConversationFill,
): NamedUser {
  // Conversations have the ids of their other users, which follow those of all users.
  const base = Number(db.prepare('select max(id) from user').pluck().get())
  const now = Date.now()
  const numbers = 'with recursive number (n) as (select 1 union all select n + 1 from number where n < @count)'
  const fill = (count: number, insert: string, select: string) =>
    db.prepare(`insert into ${insert} ${numbers} ${select} from number`).run({ count })
  db.transaction(() => {
    fill(
      conversations,
      'user (id, username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)',
      `select ${base} + n, 'komşu.' || (${base} + n), 'komşu.' || (${base} + n), 0, 'member', 'web', ${now}, ${now}`,
    )
    fill(
      conversations,
      'conversation (id, lowUserId, highUserId, createdById, createdAt)',
      `select ${base} + n, ${ownerId}, ${base} + n, ${ownerId}, ${now}`,
    )
    fill(
      messages,
      'directMessage (conversationId, senderId, content, clientId, createdAt)',
      `select ${base} + 1 + n % ${conversations}, iif(n / ${conversations} % 2, ${ownerId}, ${base} + 1 + n % ${conversations}),
        'Bugün hava güzel, sahilde yürüyüş yaptık ve çay içtik ' || n, lower(hex(randomblob(16))), ${now}`,
    )
    const sides = (user: string, other: string) =>
      fill(
        conversations,
        `conversationSide (userId, conversationId, otherUserId, lastMessageId, lastReadId, unreadCount, deletedUpToId,
          hasWritten, allowsMedia)`,
        `select ${user}, ${base} + n, ${other},
          (select max(id) from directMessage where conversationId = ${base} + n), 0, n <= ${UNREAD}, 0, 1, 0`,
      )
    sides(`${ownerId}`, `${base} + n`)
    sides(`${base} + n`, `${ownerId}`)
  })()
  return { username: `komşu.${base + 1}`, userId: base + 1 }
}
