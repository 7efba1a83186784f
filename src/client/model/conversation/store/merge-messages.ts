import type { UserId } from '../../../../shared/protocol/ids.ts'
import type { Bubble, BubbleSender, ConversationMessage } from './message-types.ts'

/** The same message gives the same bubble, so React does not redraw it. */
const bubbleCache = new WeakMap<ConversationMessage, Bubble>()

/** A message of the server as a bubble. */
export function bubbleOf(message: ConversationMessage, viewerId: UserId): Bubble {
  const isOwn = message.senderId === viewerId
  const cached = bubbleCache.get(message)
  if (cached?.isOwn === isOwn) return cached
  const bubble: Bubble = {
    // Only own clientIds are known to be unique: another sender may repeat a foreign one.
    key: isOwn ? message.clientId : `m${message.id}`,
    id: message.id,
    content: message.content,
    createdAt: message.createdAt,
    sender: {
      id: message.senderId,
      username: message.senderUsername,
      gender: message.senderGender,
      avatarUrl: message.senderAvatarUrl,
      isGuest: message.senderIsGuest,
      role: message.senderRole,
    },
    isOwn,
    status: 'sent',
    ...(message.media && { media: message.media }),
    ...(message.replyTo && { replyTo: message.replyTo }),
    ...(message.isRemoved && { isRemoved: true }),
    ...(message.isGhost && { isGhost: true }),
  }
  bubbleCache.set(message, bubble)
  return bubble
}

/** The bubbles of a rendered page, on the server and until the connection is open. */
export function bubblesOf(messages: readonly ConversationMessage[], viewerId: UserId): Bubble[] {
  return messages.map((message) => bubbleOf(message, viewerId))
}

/** The bubble with the current summaries of these users, by id; the same object where nothing changes. */
export function withUsers(bubble: Bubble, people: ReadonlyMap<UserId, BubbleSender>): Bubble {
  const sender = people.get(bubble.sender.id)
  const quoted = people.get(bubble.replyTo?.senderId ?? 0)
  const hasSenderChanged = sender !== undefined && !isSameSender(sender, bubble.sender)
  const isNewName = quoted !== undefined && quoted.username !== bubble.replyTo?.senderUsername
  if (!hasSenderChanged && !isNewName) return bubble
  return {
    ...bubble,
    ...(hasSenderChanged && { sender }),
    ...(isNewName && bubble.replyTo && { replyTo: { ...bubble.replyTo, senderUsername: quoted.username } }),
  }
}

/** A bubble of the server and the seq of its event; 0 where a page, a snapshot or an answer brought it. */
export interface StoredMessage {
  bubble: Bubble
  seq: number
}

/** The messages of both lists, each once, oldest first; of the same message, the one in `more` wins. */
export function mergeMessages(stored: readonly StoredMessage[], more: readonly StoredMessage[]): StoredMessage[] {
  const byId = new Map([...stored, ...more].map((one) => [one.bubble.id, one]))
  return [...byId.values()].sort((a, b) => compareBubbles(a.bubble, b.bubble))
}

/** The server's messages and own unsent ones. Pending ones come last: the server will give them a later time. */
export function mergePending(stored: readonly StoredMessage[], unsent: readonly Bubble[]): Bubble[] {
  const sent = stored.map(({ bubble }) => bubble)
  const failed = unsent.filter(({ status }) => status === 'failed')
  const sentAndFailed = failed.length ? [...sent, ...failed].sort(compareBubbles) : sent
  return [...sentAndFailed, ...unsent.filter(({ status }) => status === 'pending')]
}

function compareBubbles(a: Bubble, b: Bubble): number {
  return a.createdAt - b.createdAt || (a.id ?? Number.POSITIVE_INFINITY) - (b.id ?? Number.POSITIVE_INFINITY)
}

function isSameSender(one: BubbleSender, other: BubbleSender): boolean {
  const shown = ['username', 'gender', 'avatarUrl', 'isGuest', 'role'] as const
  return shown.every((key) => one[key] === other[key])
}
