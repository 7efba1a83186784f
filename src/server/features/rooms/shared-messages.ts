import { LRUCache } from 'lru-cache'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Viewer } from '../../kernel/live/visibility.ts'
import { listLatestMessages, listSharedMessages } from '../../model/conversations/room-messages.ts'
import { keepIfSame } from './cached-lists.ts'

const MAX_BYTES = 16 * 1024 * 1024
/** An estimate for the fields of a message beside its text. */
const MESSAGE_BYTES = 500

interface CachedMessages {
  /** The version of the database that was read. */
  version: number
  messages: readonly Message[]
  restrictedSenderIds: ReadonlySet<UserId>
}

/**
 * The latest messages of each room, read once for all viewers without blocks until anything is written. A later read
 * with the same content returns the same array, and the same frozen message where that is unchanged.
 */
export class SharedMessages {
  private readonly rooms = new LRUCache<RoomId, CachedMessages>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ messages }) => messages.reduce((sum, message) => sum + bytesOf(message), MESSAGE_BYTES),
  })

  /** The messages in the reader's snapshot; a frozen array if other viewers get the same. */
  list(reader: Reader, roomId: RoomId, viewer: Viewer): readonly Message[] {
    if (viewer.blockedIds.size > 0) return listLatestMessages(reader, roomId, viewer)
    const { messages, restrictedSenderIds: senderIds } = this.read(reader, roomId)
    const seesMore = senderIds.size > 0 && (viewer.role === 'rootadmin' || senderIds.has(viewer.userId))
    return seesMore ? listLatestMessages(reader, roomId, viewer) : messages
  }

  private read(reader: Reader, roomId: RoomId): CachedMessages {
    const version = reader.dataVersion()
    const cached = this.rooms.get(roomId)
    if (cached?.version === version) return cached
    const { messages: found, restrictedSenderIds } = listSharedMessages(reader, roomId)
    const messages = keepIfSame(
      cached?.messages,
      found.map((message) => Object.freeze(message)),
    )
    const read = { version, messages, restrictedSenderIds }
    this.rooms.set(roomId, read)
    return read
  }
}

function bytesOf({ content, media }: Message): number {
  return (content.length + (media?.blur?.length ?? 0)) * 2 + MESSAGE_BYTES
}
