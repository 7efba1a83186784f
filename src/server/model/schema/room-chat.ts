import type { Generated } from 'kysely'
import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Audience } from '../../kernel/database/events/streams.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import type { MessageMediaColumns } from './media.ts'

export interface RoomChatTables {
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
    mediaId: number | null
    /** Removed by a moderator: what it had is in `removedMessage`. */
    isRemoved: Generated<Flag>
  }
  /** A file that was uploaded for a room's message. */
  roomMedia: MessageMediaColumns
  /** Full-text index (FTS5). `match` uses the hidden column with the table's own name; `words` is never read. */
  messageWord: { rowid: number; words: string; messageWord: Generated<string> }
  /** The distinct words of the index, in order (fts5vocab). */
  messageTerm: { term: string }
  /** One row: messages up to this id are in the index, unless they were removed. */
  messageIndex: { id: 1; indexedUpToId: MessageId }
}
