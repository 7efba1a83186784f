import { LRUCache } from 'lru-cache'
import type { RoomId } from '../../shared/protocol/ids.ts'
import type { Message } from '../../shared/room-chat/message.ts'
import type { Reader } from '../database/read.ts'
import { siteStream } from '../database/streams.ts'
import type { Publisher } from '../live/publisher.ts'
import type { Viewer } from '../live/visibility.ts'
import { listLatestMessages, listSharedMessages } from '../room-chat/queries.ts'
import { roomStream } from './streams.ts'

const MAX_BYTES = 16 * 1024 * 1024
/** An estimate for the fields of a message beside its text. */
const MESSAGE_BYTES = 500

interface CachedMessages {
  /** The log position at which the messages are known to be current. */
  cursor: number
  generation: number
  /** null: viewers see different messages. */
  messages: readonly Message[] | null
}

/**
 * The latest messages of each room, read once for all viewers without blocks until an event changes them: one of the
 * room, or one for the whole site, such as a changed profile.
 */
export class SharedMessages {
  private readonly publisher: Pick<Publisher, 'cursor' | 'recentEvents'>
  private readonly rooms = new LRUCache<RoomId, CachedMessages>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ messages }) =>
      (messages ?? []).reduce((sum, { content }) => sum + content.length * 2 + MESSAGE_BYTES, MESSAGE_BYTES),
  })

  constructor(publisher: Pick<Publisher, 'cursor' | 'recentEvents'>) {
    this.publisher = publisher
  }

  /** The messages at the reader's position `cursor`; a frozen array if other viewers get the same. */
  list(reader: Reader, roomId: RoomId, viewer: Viewer, cursor: number): readonly Message[] {
    if (viewer.blockedIds.size > 0) return listLatestMessages(reader, roomId, viewer)
    const cached = this.rooms.get(roomId)
    const current = cached && this.isCurrent(cached, roomId, cursor) ? cached : this.read(reader, roomId, cursor)
    current.cursor = cursor
    return current.messages ?? listLatestMessages(reader, roomId, viewer)
  }

  private read(reader: Reader, roomId: RoomId, cursor: number): CachedMessages {
    const messages = listSharedMessages(reader, roomId)
    const { generation } = this.publisher.recentEvents
    const read = { cursor, generation, messages: messages && Object.freeze(messages) }
    this.rooms.set(roomId, read)
    return read
  }

  /** Whether no event between the positions can have changed the messages; false when the events are not in memory. */
  private isCurrent(cached: CachedMessages, roomId: RoomId, cursor: number): boolean {
    const { recentEvents } = this.publisher
    if (cached.generation !== recentEvents.generation || cursor < cached.cursor) return false
    if (cursor === cached.cursor) return true
    if (this.publisher.cursor() < cursor) return false
    return recentEvents.since(cached.cursor, [roomStream(roomId), siteStream], 1)?.length === 0
  }
}
