import type { DirectMessage } from '../../../shared/direct-messages/message.ts'
import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import { signal } from '../../core/signals/signal.ts'
import type { ReadState } from '../../model/conversation/thread/read-state.ts'

/** What a user has not read. */
interface UnreadMessages {
  /** The messages of the other user are read up to this id. */
  readUpToId: number
  count: number
}

/** How far the two users of a conversation have read each other's messages. */
export class ReadReceipts {
  /** The other user has read the viewer's messages up to here. */
  readonly byOtherUpTo = signal<MessageId>(0)
  private readonly userId: UserId
  /** The viewer has read the other user's messages up to here, and there are so many newer ones. */
  private readUpToId = 0
  private unreadCount = 0
  private lastReceivedId = 0

  /** @param userId the other user */
  constructor(userId: UserId) {
    this.userId = userId
  }

  /** What the viewer has not read. */
  get unread(): UnreadMessages {
    return { readUpToId: this.readUpToId, count: this.unreadCount }
  }

  /** The state with which a thread opens whose last message has this id. */
  toReadState(countedId: MessageId): ReadState {
    const { readUpToId: seenId, unreadCount } = this
    return { seenId, dividerAfterId: unreadCount > 0 ? seenId : null, unreadCount, countedId }
  }

  /** The state of the server at the opening. */
  open({ readUpToId, unreadCount }: { readUpToId: number; unreadCount: number }): void {
    this.unreadCount = unreadCount
    this.readUpToId = Math.max(this.readUpToId, readUpToId)
  }

  /** Messages of a page, and whether they are read. */
  noteMessages(messages: readonly DirectMessage[]): void {
    const lastOf = (isFromOther: boolean, isRead: boolean) =>
      messages.findLast(({ senderId, read }) => (senderId === this.userId) === isFromOther && (read || !isRead))?.id ??
      0
    this.noteReadByOther(lastOf(false, true))
    this.lastReceivedId = Math.max(this.lastReceivedId, lastOf(true, false))
    this.readUpToId = Math.max(this.readUpToId, lastOf(true, true))
  }

  onReceived(id: MessageId): void {
    if (id <= this.lastReceivedId) return
    this.lastReceivedId = id
    this.unreadCount++
  }

  onMessagesRead({ readerId, otherId, upToId }: EventPayload<'messagesRead'>): void {
    if (readerId === this.userId) this.noteReadByOther(upToId)
    else if (otherId === this.userId) this.noteRead(upToId)
  }

  /** The viewer has read up to here. */
  noteRead(upToId: MessageId): void {
    this.readUpToId = Math.max(this.readUpToId, upToId)
    if (this.readUpToId >= this.lastReceivedId) this.unreadCount = 0
  }

  private noteReadByOther(upToId: MessageId): void {
    this.byOtherUpTo.value = Math.max(this.byOtherUpTo.peek(), upToId)
  }
}
