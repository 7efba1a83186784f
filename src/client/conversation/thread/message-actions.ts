import { toast } from '../../shell/toasts/toast.ts'
import type { Conversation } from '../conversation.ts'
import type { Bubble } from '../store/bubble.ts'
import { historyLoaderOf } from '../store/history-loader.ts'
import { isShown } from '../store/history-pages.ts'
import { trackReply } from './reply-target.ts'
import { scrollToMessage } from './scroll-to-message.ts'
import { trackSwipe } from './swipe.ts'
import './message-actions.css'

/** A press in a thread: on the reply button of a message, or on a quote, which leads to its original. */
export function handleThreadClick(thread: HTMLElement, conversation: Conversation, target: EventTarget | null): void {
  if (!(target instanceof Element)) return
  const row = target.closest<HTMLElement>('.bubble-row')
  if (target.closest('.bubble-reply')) startReply(conversation, findBubble(conversation, Number(row?.dataset.id)))
  const quote = target.closest<HTMLElement>('[data-jump]')
  if (quote) void showOriginal(thread, conversation, Number(quote.dataset.jump))
}

/** Starts what else belongs to a thread: replies by swipes, and messages that are no longer hidden from the viewer. */
export function enableMessageActions(thread: HTMLElement, conversation: Conversation, ended: AbortSignal): void {
  const findMessage = (id: number) => findBubble(conversation, id)
  trackSwipe(thread, { findMessage, reply: (message) => startReply(conversation, message) }, ended)
  const loader = historyLoaderOf(conversation)
  const stops = [
    trackReply(conversation),
    conversation.addListener({ onUnhidden: () => void loader.restoreUnblocked() }),
  ]
  ended.addEventListener('abort', () => stops.forEach((stop) => void stop()))
}

/** Loads a message that is not loaded, with those around it, and scrolls to it. */
async function showOriginal(thread: HTMLElement, conversation: Conversation, messageId: number): Promise<void> {
  const isFar = !isShown(conversation.store, messageId)
  const failure = await historyLoaderOf(conversation).loadAround(messageId)
  if (failure !== null) return toast(failure, 'error')
  // By then React has drawn the thread.
  requestAnimationFrame(() => scrollToMessage(thread, messageId, isFar))
}

function findBubble({ bubbles }: Conversation, messageId: number): Bubble | null {
  return bubbles.peek().find(({ id }) => id === messageId) ?? null
}

function startReply({ replyingTo }: Conversation, message: Bubble | null): void {
  replyingTo.value = message
}
