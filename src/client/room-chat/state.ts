import type { Person } from '../../shared/accounts/protocol.ts'
import type { Refusal } from '../../shared/protocol/refusals.ts'
import type { Quote } from '../../shared/room-chat/message.ts'
import type { RoomPageProps } from '../../shared/rooms/page.ts'
import { session } from '../accounts/session.ts'
import { browserEnvironment } from '../live/environment.ts'
import { live, outbox } from '../live/state.ts'
import { followBlocks } from '../relations/follow-blocks.ts'
import { roomLine } from '../rooms/state.ts'
import { signal } from '../signal.ts'
import { shownWith } from './bubbles.ts'
import { Thread } from './thread.ts'

export type BubbleSender = Pick<Person, 'id' | 'username' | 'gender' | 'avatarUrl' | 'isGuest' | 'role'>

/** A message as it is shown: one of the server's, or one's own on its way there. */
export interface Bubble {
  /** The clientId: the same from the first key press to the message of the log. */
  key: string
  /** null until the server has given one. */
  id: number | null
  content: string
  /** Epoch milliseconds by the server's clock. */
  createdAt: number
  sender: BubbleSender
  isOwn: boolean
  /** What it answers; absent where it answers nothing. */
  replyTo?: Quote
  status: 'sent' | 'pending' | 'failed'
  /** Why it failed, in Turkish. */
  failure?: string
}

const thread = new Thread(browserEnvironment, live, outbox, roomLine)

/** The messages of the room that is shown, oldest first, one's own unsent ones among them. */
export const bubbles = thread.bubbles
/** Those that end with the latest one, shown or not. */
export const latest = thread.latest
/** Which of the room's messages are loaded, and which of them are shown. */
export const messages = thread.messages
/** What the composer has to say; null for nothing. */
export const notice = thread.said

/** As what the reader is mentioned. */
export const viewerName = thread.viewerName

/** The message that will be answered by what is said next. It may be older than what is loaded. */
export const replyingTo = signal<Bubble | null>(null)
const stopReplyingIf = (isGone: (bubble: Bubble) => boolean): void => {
  const { value } = replyingTo
  if (value && isGone(value)) replyingTo.value = null
}
live.on('clearMessages', ({ roomId }) => stopReplyingIf(() => roomId === live.roomId))
live.on('removeBannedMessages', ({ userId }) => stopReplyingIf(({ sender }) => sender.id === userId))
followBlocks(live, {
  unblocked: () => import('./history-state.ts').then(({ history }) => history.restore(), console.error),
})
// Whatever was missed may have taken it away.
live.on('loadRoomMessages', ({ messages: loaded }) => stopReplyingIf(({ id }) => loaded.every((one) => one.id !== id)))
live.on('userProfileUpdated', ({ user }) => {
  const { value } = replyingTo
  if (value) replyingTo.value = shownWith(value, new Map([[user.id, user]]))
})

/** Called with a room's page when it is shown: opens the line, and enters the room from the page's cursor. */
export function openRoom(page: RoomPageProps): void {
  session.rememberRoom(page.room.id)
  replyingTo.value = null
  roomLine.enter(page)
}

/** The reader goes up from the end of the thread. */
export function openPast(): void {
  messages.openPast()
}

/** The reader, further up, has this message in view. */
export function readAt(id: number): void {
  messages.readAt(id)
}

/** The reader is back at the end of the thread. */
export function leavePast(): void {
  messages.leavePast()
}

/** Says something in the room; a refusal means that the text is to stay in the composer. */
export function say(text: string): Refusal | null {
  const refusal = thread.say(text, replyingTo.peek()?.id)
  if (!refusal && text.trim()) {
    replyingTo.value = null
    leavePast()
  }
  return refusal
}

/** Sends a failed message again. */
export function tryAgain(key: string): void {
  thread.tryAgain(key)
}

/** Gives a failed message up. */
export function discard(key: string): void {
  thread.discard(key)
}
