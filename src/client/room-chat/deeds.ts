import { live } from '../live/state.ts'
import { followBlocks } from '../relations/follow-blocks.ts'
import { toast } from '../shell/toast.ts'
import { history } from './history-state.ts'
import { jumpTo } from './jump.ts'
import { type Bubble, bubbles, messages, replyingTo } from './state.ts'
import { followFinger } from './swipe.ts'
import './thread-deeds.css'

followBlocks(live, {
  blocked: (userId) => {
    if (replyingTo.peek()?.sender.id === userId) replyingTo.value = null
  },
})

/** A press in a thread: on the button by which one answers a message, or on a quote that leads to its original. */
export function press(target: EventTarget | null): void {
  if (!(target instanceof Element)) return
  const row = target.closest<HTMLElement>('.bubble-row')
  if (target.closest('.bubble-reply')) answer(find(Number(row?.dataset.id)))
  const quote = target.closest<HTMLElement>('[data-jump]')
  if (quote) void goTo(Number(quote.dataset.jump))
}

/** A message that is swiped aside is answered. */
export function followSwipes(thread: HTMLElement, ended: AbortSignal): void {
  followFinger(thread, { find, answer }, ended)
}

/** What is not loaded any more is fetched, with what was said around it. */
async function goTo(messageId: number): Promise<void> {
  const isFar = !messages.shows(messageId)
  const failure = await history.goTo(messageId)
  if (failure !== null) return toast(failure, 'error')
  // By then the thread has been drawn.
  requestAnimationFrame(() => jumpTo(messageId, isFar))
}

function find(messageId: number): Bubble | null {
  return bubbles.peek().find(({ id }) => id === messageId) ?? null
}

function answer(message: Bubble | null): void {
  replyingTo.value = message
}
