import { MAX_CONSECUTIVE_MESSAGES, MAX_QUOTE_LENGTH } from '../../../shared/room-chat/limits.ts'
import type { Message, Quote } from '../../../shared/room-chat/message.ts'
import { quoteExcerpt, unavailableQuote } from '../../../shared/room-chat/quotes.ts'
import { checkSendLimits, type PreviousMessage } from '../../../shared/room-chat/rules.ts'
import type { Bubble, BubbleSender } from '../../room-chat/state.ts'

/** The same message is the same bubble, so that what is drawn already is not drawn again. */
const bubbleCache = new WeakMap<Message, Bubble>()

/** A message of the server as a bubble. */
export function bubbleOf(message: Message, viewerId: number): Bubble {
  const isOwn = message.senderId === viewerId
  const known = bubbleCache.get(message)
  if (known?.isOwn === isOwn) return known
  const bubble: Bubble = {
    // Only a person's own clientIds are known to be different from one another: somebody may send another's again.
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
    ...(message.replyTo && { replyTo: message.replyTo }),
  }
  bubbleCache.set(message, bubble)
  return bubble
}

/** What `/room/{id}` shows at first, on the server and until the line is there. */
export function bubblesOf(messages: readonly Message[], viewerId: number): Bubble[] {
  return messages.map((message) => bubbleOf(message, viewerId))
}

/** What one's own answer quotes until the server says it: the message that is answered may have gone meanwhile. */
export function quoteOfMessage(known: readonly StoredMessage[], id: number): Quote {
  const original = known.find(({ bubble }) => bubble.id === id)?.bubble
  if (!original) return unavailableQuote(id)
  const { content, sender } = original
  return { id, content: quoteExcerpt(content, MAX_QUOTE_LENGTH), senderId: sender.id, senderUsername: sender.username }
}

/** The bubble as it is shown once these people, by their ids, are shown as they are here; itself where nothing changes. */
export function withUsers(bubble: Bubble, people: ReadonlyMap<number, BubbleSender>): Bubble {
  const sender = people.get(bubble.sender.id)
  const quoted = people.get(bubble.replyTo?.senderId ?? 0)
  const isNewFace = sender !== undefined && !isSameSender(sender, bubble.sender)
  const isNewName = quoted !== undefined && quoted.username !== bubble.replyTo?.senderUsername
  if (!isNewFace && !isNewName) return bubble
  return {
    ...bubble,
    ...(isNewFace && { sender }),
    ...(isNewName && bubble.replyTo && { replyTo: { ...bubble.replyTo, senderUsername: quoted.username } }),
  }
}

/** A bubble of the server and the event that brought it; 0 where a page, a snapshot or an answer did. */
export interface StoredMessage {
  bubble: Bubble
  seq: number
}

/** The messages of both lists, each once, oldest first; of the same message, the one in `more` counts. */
export function mergeMessages(known: readonly StoredMessage[], more: readonly StoredMessage[]): StoredMessage[] {
  const byId = new Map([...known, ...more].map((one) => [one.bubble.id, one]))
  return [...byId.values()].sort((a, b) => compareBubbles(a.bubble, b.bubble))
}

/** The server's messages and one's own unsent ones. Those under way come last: the server will give them a later time. */
export function mergePending(known: readonly StoredMessage[], unsent: readonly Bubble[]): Bubble[] {
  const sent = known.map(({ bubble }) => bubble)
  const failed = unsent.filter(({ status }) => status === 'failed')
  const settled = failed.length ? [...sent, ...failed].sort(compareBubbles) : sent
  return [...settled, ...unsent.filter(({ status }) => status === 'pending')]
}

/** What the chat rules ask about the latest of these bubbles, which are in their order. */
export function lastMessageForLimits(bubbles: readonly Bubble[], now: number): PreviousMessage | null {
  const said = bubbles.filter(({ status }) => status !== 'failed')
  let run = 0
  said.forEach(({ isOwn, createdAt }, index) => {
    const before = said[index - 1]
    run = isOwn
      ? runLengthAfter(
          before ? { isOwn: before.isOwn, consecutiveCount: run, ageMs: createdAt - before.createdAt } : null,
        )
      : 0
  })
  const last = said.at(-1)
  return last ? { isOwn: last.isOwn, consecutiveCount: run, ageMs: now - last.createdAt } : null
}

/** The place in its sender's run of an own message that was accepted after `last`. */
function runLengthAfter(last: PreviousMessage | null): number {
  const verdict = checkSendLimits({ exempt: false, inRoomForMs: Number.POSITIVE_INFINITY, last })
  return 'consecutiveCount' in verdict ? verdict.consecutiveCount : MAX_CONSECUTIVE_MESSAGES
}

function compareBubbles(a: Bubble, b: Bubble): number {
  return a.createdAt - b.createdAt || (a.id ?? Number.POSITIVE_INFINITY) - (b.id ?? Number.POSITIVE_INFINITY)
}

function isSameSender(one: BubbleSender, other: BubbleSender): boolean {
  const shown = ['username', 'gender', 'avatarUrl', 'isGuest', 'role'] as const
  return shown.every((key) => one[key] === other[key])
}
