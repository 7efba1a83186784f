import type { Person } from '../../shared/accounts/protocol.ts'
import type { Refusal } from '../../shared/protocol/refusals.ts'
import type { Quote } from '../../shared/room-chat/message.ts'
import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import { session } from '../accounts/session.ts'
import { withUsers } from '../conversation/store/bubbles.ts'
import { live } from '../live/state.ts'
import { listenForBlocks } from '../relations/block-listener.ts'
import { roomSubscription } from '../rooms/state.ts'
import { signal } from '../signal.ts'
import { conversation } from './shown-conversation.ts'

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

/** The messages of the room that is shown, oldest first, one's own unsent ones among them. */
export const bubbles = conversation.bubbles
/** Those that end with the latest one, shown or not. */
export const latestBubbles = conversation.latest
/** Which of the room's messages are loaded, and which of them are shown. */
export const messageStore = conversation.store
/** What the composer has to say; null for nothing. */
export const composerNotice = conversation.composerNotice

/** As what the reader is mentioned. */
export const viewerName = conversation.viewerName

/** The message that will be answered by what is said next. It may be older than what is loaded. */
export const replyingTo = signal<Bubble | null>(null)
const cancelReplyIf = (isGone: (bubble: Bubble) => boolean): void => {
  const { value } = replyingTo
  if (value && isGone(value)) replyingTo.value = null
}
live.on('clearMessages', ({ roomId }) => cancelReplyIf(() => roomId === live.roomId))
live.on('removeBannedMessages', ({ userId }) => cancelReplyIf(({ sender }) => sender.id === userId))
listenForBlocks(live, {
  onUnblocked: () =>
    import('./history-state.ts').then(({ historyLoader }) => historyLoader.restoreUnblocked(), console.error),
})
// Whatever was missed may have taken it away.
live.on('loadRoomMessages', ({ messages: loaded }) => cancelReplyIf(({ id }) => loaded.every((one) => one.id !== id)))
live.on('userProfileUpdated', ({ user }) => {
  const { value } = replyingTo
  if (value) replyingTo.value = withUsers(value, new Map([[user.id, user]]))
})

/** Called with a room's page when it is shown: opens the line, and enters the room from the page's cursor. */
export function openRoom(page: RoomPageProps): void {
  session.saveLastRoom(page.room.id)
  replyingTo.value = null
  roomSubscription.openPage(page)
}

/** The reader goes up from the end of the thread. */
export function enterScrollback(): void {
  messageStore.enterScrollback()
}

/** The reader, further up, has this message in view. */
export function setScrollAnchor(id: number): void {
  messageStore.setAnchor(id)
}

/** The reader is back at the end of the thread. */
export function leaveScrollback(): void {
  messageStore.leaveScrollback()
}

/** Says something in the room; a refusal means that the text is to stay in the composer. */
export function sendRoomMessage(text: string): Refusal | null {
  const refusal = conversation.send(text, replyingTo.peek()?.id)
  if (!refusal && text.trim()) {
    replyingTo.value = null
    leaveScrollback()
  }
  return refusal
}

/** Sends a failed message again. */
export function retryMessage(key: string): void {
  conversation.retry(key)
}

/** Gives a failed message up. */
export function discardMessage(key: string): void {
  conversation.discard(key)
}
