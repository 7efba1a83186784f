import { live } from '../../live/state.ts'
import { listenForBlocks } from '../../relations/block-listener.ts'
import { historyLoader } from '../../room-chat/history-state.ts'
import { type Bubble, bubbles, messageStore, replyingTo } from '../../room-chat/state.ts'
import { toast } from '../../shell/toasts/toast.ts'
import { scrollToMessage } from './scroll-to-message.ts'
import { trackSwipe } from './swipe.ts'
import './message-actions.css'

listenForBlocks(live, {
  onBlocked: (userId) => {
    if (replyingTo.peek()?.sender.id === userId) replyingTo.value = null
  },
})

/** A press in a thread: on the button by which one answers a message, or on a quote that leads to its original. */
export function handleThreadClick(target: EventTarget | null): void {
  if (!(target instanceof Element)) return
  const row = target.closest<HTMLElement>('.bubble-row')
  if (target.closest('.bubble-reply')) startReply(findBubble(Number(row?.dataset.id)))
  const quote = target.closest<HTMLElement>('[data-jump]')
  if (quote) void showOriginal(Number(quote.dataset.jump))
}

/** A message that is swiped aside is answered. */
export function enableSwipeReply(thread: HTMLElement, ended: AbortSignal): void {
  trackSwipe(thread, { findMessage: findBubble, reply: startReply }, ended)
}

/** What is not loaded any more is fetched, with what was said around it. */
async function showOriginal(messageId: number): Promise<void> {
  const isFar = !messageStore.isShown(messageId)
  const failure = await historyLoader.loadAround(messageId)
  if (failure !== null) return toast(failure, 'error')
  // By then the thread has been drawn.
  requestAnimationFrame(() => scrollToMessage(messageId, isFar))
}

function findBubble(messageId: number): Bubble | null {
  return bubbles.peek().find(({ id }) => id === messageId) ?? null
}

function startReply(message: Bubble | null): void {
  replyingTo.value = message
}
