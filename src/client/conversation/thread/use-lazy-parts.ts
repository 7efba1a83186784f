import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { toastLoadFailure } from '../../shell/toasts/toast.ts'
import type { Conversation } from '../conversation.ts'

/** Loads the button for more messages where there are more; after a failure the reader's next move tries again. */
export function useLazyLoadMore(isWanted: boolean, isAtEnd: boolean) {
  const [loaded, setLoaded] = useState<typeof import('./load-more.tsx') | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a move of the reader tries again
  useEffect(() => {
    if (isWanted && !loaded) import('./load-more.tsx').then(setLoaded, console.error)
  }, [isWanted, loaded, isAtEnd])
  return loaded
}

/** Loads the actions on messages after the thread is drawn; an earlier press waits for them, and retries after a failure. */
export function useMessageActions(thread: RefObject<HTMLElement | null>, conversation: Conversation): void {
  useLayoutEffect(() => {
    const { current } = thread
    if (!current) return
    const ended = new AbortController()
    let isEnabled = false
    const load = async () => {
      const actions = await import('./message-actions.ts')
      if (!isEnabled) actions.enableMessageActions(current, conversation, ended.signal)
      isEnabled = true
      return actions
    }
    const press = ({ target }: Event): void => {
      const isAction = target instanceof Element && target.closest('.bubble-reply, [data-jump]')
      if (isAction) load().then((actions) => actions.handleThreadClick(current, conversation, target), toastLoadFailure)
    }
    current.addEventListener('click', press, { signal: ended.signal })
    // Not during React's commit: requesting a file takes a slow phone 20 ms.
    setTimeout(() => load().catch(console.error))
    return () => ended.abort()
  }, [thread, conversation])
}
