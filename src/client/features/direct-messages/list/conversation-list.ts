import type { UserSummary } from '../../../../shared/accounts/protocol.ts'
import type { ConversationEntry } from '../../../../shared/direct-messages/message.ts'
import { CONVERSATIONS_NOT_LOADED, conversationPreview } from '../../../../shared/direct-messages/rules.ts'
import type { MediaType } from '../../../../shared/media/media.ts'
import type { EventPayload, RouteAnswer } from '../../../../shared/protocol/catalogue.ts'
import type { MessageId, UserId } from '../../../../shared/protocol/ids.ts'
import { MESSAGE_REMOVED_TEXT } from '../../../../shared/sanctions/message-removed-text.ts'
import type { LiveClient } from '../../../core/live/live-client.ts'
import { signal } from '../../../core/signals/signal.ts'
import { mergePage, type PagedItems } from '../../../core/ui/lists/paged-items.ts'

type ConversationPage = RouteAnswer<'conversations'>
type LoadedConversations = PagedItems<ConversationEntry, MessageId> & { unreadCount: number }
type Read = EventPayload<'messagesRead'>
type Change = (list: LoadedConversations) => LoadedConversations

/** The viewer's conversations, the latest first, as far as they are loaded. */
export class ConversationList {
  /** null before the first load. */
  readonly list = signal<LoadedConversations | null>(null)

  private readonly live: LiveClient
  private readonly fetchPage: (before: MessageId | null) => Promise<ConversationPage | null>
  /** Changes that came while a request was under way: its answer may be older. */
  private changes: Change[] = []
  private pendingRequests = 0
  private firstPage: Promise<string | null> | null = null
  private needsRefresh = false

  /** @param fetchPage requests the page at a cursor, or the first one; null without an answer */
  constructor(live: LiveClient, fetchPage: (before: MessageId | null) => Promise<ConversationPage | null>) {
    this.live = live
    this.fetchPage = fetchPage
    live.onConnected((resumed) => {
      if (!resumed && this.list.peek()) void this.refresh()
    })
    live.on('directMessage', (message) => this.onMessage(message))
    live.on('directMessageRemoved', ({ id }) =>
      this.change((list) => withPreview(list, id, MESSAGE_REMOVED_TEXT, null)),
    )
    live.on('messagesRead', (read) => this.onRead(read))
    live.on('conversationHidden', ({ userId }) => this.change((list) => withoutEntry(list, userId)))
    live.on('dmCleared', ({ userId }) => this.change((list) => withoutEntry(list, userId)))
    live.on('userProfileUpdated', ({ user }) => this.change((list) => withEntry(list, user.id, profileOf(user))))
    live.on('userStatusChanged', ({ username, isOnline }) =>
      this.change((list) => {
        const known = list.items.find((entry) => entry.username === username)
        return known ? withEntry(list, known.id, { isOnline }) : list
      }),
    )
  }

  /** Loads the list once; later calls change nothing unless the first page failed. */
  async loadOnce(): Promise<string | null> {
    return this.list.peek() ? null : this.loadFirstPage()
  }

  /** Loads the page at a cursor, or the first page where the list is not loaded. Returns an error text, or null. */
  load(before: MessageId | null): Promise<string | null> {
    return before === null ? this.loadOnce() : this.request(before)
  }

  /** Loads the first page again. A request that is under way is followed by another one. */
  async refresh(): Promise<void> {
    if (this.firstPage) this.needsRefresh = true
    else await this.loadFirstPage()
  }

  /** Removes an entry before its event arrives. */
  remove(userId: UserId): void {
    this.change((list) => withoutEntry(list, userId))
  }

  private async loadFirstPage(): Promise<string | null> {
    this.firstPage ??= this.request(null)
    const failure = await this.firstPage
    this.firstPage = null
    if (this.needsRefresh && failure === null) {
      this.needsRefresh = false
      void this.loadFirstPage()
    }
    return failure
  }

  private async request(before: MessageId | null): Promise<string | null> {
    if (this.pendingRequests++ === 0) this.changes = []
    const firstChange = this.changes.length
    const page = await this.fetchPage(before)
    this.pendingRequests--
    if (!page) return CONVERSATIONS_NOT_LOADED
    const paged = mergePage(this.list.peek(), before, { items: page.conversations, next: page.next })
    if (!paged) return null
    const unreadCount = before === null ? page.unreadCount : (this.list.peek()?.unreadCount ?? page.unreadCount)
    const list: LoadedConversations = { ...paged, items: uniqueEntries(paged.items), unreadCount }
    this.list.value = this.changes.slice(firstChange).reduce((changed, change) => change(changed), list)
    return null
  }

  private change(change: Change): void {
    if (this.pendingRequests > 0) this.changes.push(change)
    const list = this.list.peek()
    if (list) this.list.value = change(list)
  }

  private onMessage(message: EventPayload<'directMessage'>): void {
    this.change((list) => this.withMessage(list, message))
  }

  private withMessage(list: LoadedConversations, message: EventPayload<'directMessage'>): LoadedConversations {
    const isOwn = this.live.isSelf(message.senderId)
    const id = isOwn ? message.recipientId : message.senderId
    const known = list.items.find((entry) => entry.id === id)
    if (known && known.lastMessageId >= message.id) return list
    // How much of a conversation that is not loaded is unread, only the server knows.
    if (!known) void this.refresh()
    const { content, media, createdAt } = message
    const mediaType = media?.mediaType ?? null
    const entry: ConversationEntry = {
      ...(known ?? entryOf(message, isOwn)),
      ...(!isOwn && { username: message.senderUsername, isOnline: true }),
      lastMessage: conversationPreview(content, mediaType),
      lastMessageId: message.id,
      mediaType,
      createdAt,
      isOwn,
      read: false,
      unreadCount: (known?.unreadCount ?? 0) + (isOwn ? 0 : 1),
    }
    const others = list.items.filter((other) => other.id !== id)
    return { ...list, items: [entry, ...others], unreadCount: list.unreadCount + (isOwn ? 0 : 1) }
  }

  private onRead(read: Read): void {
    this.change((list) => (this.live.isSelf(read.readerId) ? this.readByViewer(list, read) : readByOther(list, read)))
  }

  /** How many messages that are newer or not loaded are unread, only the server knows. */
  private readByViewer(list: LoadedConversations, { otherId, upToId }: Read): LoadedConversations {
    const known = list.items.find(({ id }) => id === otherId)
    const isRest = known ? known.lastMessageId > upToId : list.next !== null
    if (isRest && known?.unreadCount !== 0) void this.refresh()
    if (isRest || !known) return list
    const unreadCount = Math.max(0, list.unreadCount - known.unreadCount)
    return { ...withEntry(list, otherId, { unreadCount: 0, read: true }), unreadCount }
  }
}

function readByOther(list: LoadedConversations, { readerId, upToId }: Read): LoadedConversations {
  const known = list.items.find(({ id }) => id === readerId)
  return known?.isOwn && known.lastMessageId <= upToId ? withEntry(list, readerId, { read: true }) : list
}

function withEntry(list: LoadedConversations, id: UserId, changes: Partial<ConversationEntry>): LoadedConversations {
  if (!list.items.some((entry) => entry.id === id)) return list
  return { ...list, items: list.items.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)) }
}

/** The preview of a conversation whose last message this is. */
function withPreview(
  list: LoadedConversations,
  lastMessageId: MessageId,
  lastMessage: string,
  mediaType: MediaType | null,
): LoadedConversations {
  const known = list.items.find((entry) => entry.lastMessageId === lastMessageId)
  return known ? withEntry(list, known.id, { lastMessage, mediaType }) : list
}

function withoutEntry(list: LoadedConversations, id: UserId): LoadedConversations {
  const unread = list.items.find((entry) => entry.id === id)?.unreadCount ?? 0
  const items = list.items.filter((entry) => entry.id !== id)
  return { ...list, items, unreadCount: Math.max(0, list.unreadCount - unread) }
}

/** A conversation that a message moved to the front may come again with a later page. */
function uniqueEntries(entries: readonly ConversationEntry[]): ConversationEntry[] {
  const seen = new Set<UserId>()
  return entries.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** What a message tells of the other user; the refreshed list has the rest. */
function entryOf(message: EventPayload<'directMessage'>, isOwn: boolean): Omit<ConversationEntry, 'unreadCount'> {
  const { senderId, senderUsername, senderAvatarUrl, senderGender, senderIsGuest, recipientInfo } = message
  const other = isOwn
    ? { id: message.recipientId, username: message.recipientUsername, ...recipientInfo, isGuest: true }
    : {
        id: senderId,
        username: senderUsername,
        avatarUrl: senderAvatarUrl,
        gender: senderGender,
        isGuest: senderIsGuest,
      }
  const { id: lastMessageId, createdAt, content } = message
  return {
    ...other,
    isOnline: !isOwn,
    lastMessage: content,
    lastMessageId,
    mediaType: null,
    createdAt,
    isOwn,
    read: false,
  }
}

function profileOf({ username, avatarUrl, gender, isGuest }: UserSummary): Partial<ConversationEntry> {
  return { username, avatarUrl, gender, isGuest }
}
