import type { UserSummary } from '../../../../shared/accounts/protocol.ts'
import type { ConversationEntry } from '../../../../shared/direct-messages/message.ts'
import { CONVERSATIONS_NOT_LOADED, conversationPreview } from '../../../../shared/direct-messages/rules.ts'
import type { MediaType } from '../../../../shared/media/media.ts'
import type { EventPayload, RouteAnswer } from '../../../../shared/protocol/catalogue.ts'
import type { MessageId, UserId } from '../../../../shared/protocol/ids.ts'
import { isFailure, type Result } from '../../../../shared/protocol/result.ts'
import { MESSAGE_REMOVED_TEXT } from '../../../../shared/sanctions/message-removed-text.ts'
import type { LiveClient } from '../../../core/live/live-client.ts'
import { LiveList, type PagedItems } from '../../../core/signals/live-list.ts'

type ConversationPage = RouteAnswer<'conversations'>
type LoadedConversations = PagedItems<ConversationEntry, MessageId> & { unreadCount: number }
type Read = EventPayload<'messagesRead'>

/** The viewer's conversations, the latest first, as far as they are loaded. */
export class ConversationList extends LiveList<ConversationEntry, MessageId, LoadedConversations> {
  private readonly live: LiveClient

  /** @param fetchPage requests the page at a cursor, or the first one */
  constructor(live: LiveClient, fetchPage: (before: MessageId | null) => Promise<Result<ConversationPage>>) {
    super({
      isLoadedOnce: true,
      failureText: () => CONVERSATIONS_NOT_LOADED,
      fetchPage: async (before) => {
        const page = await fetchPage(before)
        if (isFailure(page)) return page
        return { items: page.conversations, next: page.next, unreadCount: page.unreadCount }
      },
    })
    this.live = live
    live.onConnected((resumed) => {
      if (!resumed) void this.reload()
    })
    live.on('directMessage', (message) => this.change((list) => this.withMessage(list, message)))
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

  /** Removes a conversation before its event arrives. */
  drop(userId: UserId): void {
    this.change((list) => withoutEntry(list, userId))
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
    if (isRest && known?.unreadCount !== 0) void this.reload()
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
