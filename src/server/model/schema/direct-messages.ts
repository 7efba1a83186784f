import type { Generated } from 'kysely'
import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import type { MessageMediaColumns } from './media.ts'

export interface DirectMessageTables {
  /** Two users who write to each other. */
  conversation: {
    id: Generated<number>
    lowUserId: UserId
    highUserId: UserId
    /** Unused, with `createdAt`: each side has its own start. A later release drops both with their index. */
    createdById: UserId
    createdAt: number
    /** Both users have deleted the messages up to here, and a job removes them; null when there are none. */
    purgeUpToId: MessageId | null
  }
  /** One user's side of a conversation; none for a user from whom all of its messages are hidden. */
  conversationSide: {
    userId: UserId
    conversationId: number
    otherUserId: UserId
    /** When the user wrote first in what they see of the conversation; null: the other user did. */
    startedAt: number | null
    /** Of the last message that the list shows; null while the conversation is hidden, deleted or empty. */
    lastMessageId: MessageId | null
    /** The other's messages are read up to here. */
    lastReadId: number
    unreadCount: number
    /** Messages up to here are deleted for this user. */
    deletedUpToId: number
    hasWritten: Flag
    /** Pictures and videos are shown though the user has not written. */
    allowsMedia: Flag
  }
  /** A file that was uploaded for a direct message. */
  directMedia: MessageMediaColumns & {
    /** Unused: reports keep their files themselves. A later release drops it. */
    isReported: Generated<Flag>
  }
  directMessage: {
    id: Generated<MessageId>
    conversationId: number
    senderId: UserId
    content: string
    mediaId: number | null
    replyToId: MessageId | null
    clientId: string
    createdAt: number
    /** Removed by a moderator: what it had is in `removedMessage`. */
    isRemoved: Generated<Flag>
    /** `actor`: only for the sender and root admins. */
    audience: Generated<'actor' | null>
  }
  /** As `messageWord`, `messageTerm` and `messageIndex` of rooms. */
  directMessageWord: { rowid: number; words: string; directMessageWord: Generated<string> }
  directMessageTerm: { term: string }
  directMessageIndex: { id: 1; indexedUpToId: MessageId }
}
