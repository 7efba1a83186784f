import { type RefObject, useLayoutEffect } from 'react'
import { usePart } from '../../../core/loading/use-part.ts'
import { toastLoadFailure } from '../../../core/shell/toasts/toast.ts'
import type { Conversation } from '../conversation.ts'

type ThreadExtras = typeof import('./thread-extras.part.tsx')

const loadExtras = (): Promise<ThreadExtras> => import('./thread-extras.part.tsx')

/**
 * Loads the parts of a thread that can wait until it is drawn. A click that needs them waits for them.
 */
export function useThreadExtras(
  thread: RefObject<HTMLElement | null>,
  conversation: Conversation,
): ThreadExtras | null {
  const extras = usePart(loadExtras)

  // Before paint: clicks that were recorded before hydration are replayed right after it.
  useLayoutEffect(() => {
    const { current } = thread
    if (!current) return
    const ended = new AbortController()
    extras?.enableMessageActions(current, conversation, ended.signal)
    const press = ({ target }: Event): void => {
      if (target instanceof Element && target.closest('.bubble-reply, [data-jump], [data-action]'))
        loadExtras().then((loaded) => loaded.handleThreadClick(current, conversation, target), toastLoadFailure)
    }
    current.addEventListener('click', press, { signal: ended.signal })
    return () => ended.abort()
  }, [thread, conversation, extras])
  return extras
}
