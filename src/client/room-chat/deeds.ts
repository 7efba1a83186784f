import { jumpTo } from './jump.ts'
import { bubbles, replyingTo } from './state.ts'
import { followSwipes } from './swipe.ts'

/** What one does with the messages of a thread: answers one by its button or a swipe, goes to what one answers. */
export function followDeeds(thread: HTMLElement, ended: AbortSignal): void {
  thread.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof Element)) return
      const row = target.closest<HTMLElement>('.bubble-row')
      if (target.closest('.bubble-reply')) answer(Number(row?.dataset.id))
      const quote = target.closest<HTMLElement>('[data-jump]')
      if (quote) jumpTo(Number(quote.dataset.jump))
    },
    { signal: ended },
  )
  followSwipes(thread, answer, ended)
}

function answer(messageId: number): void {
  replyingTo.value = bubbles.peek().find(({ id }) => id === messageId) ?? null
}
