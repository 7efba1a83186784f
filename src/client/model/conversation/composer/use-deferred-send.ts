import { useEffect } from 'react'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { useConversation } from '../conversation-context.ts'

export interface DeferredSend {
  /** Whether the text was sent in a pause, and waits for its end. */
  isDeferred: boolean
  send: () => void
  cancel: () => void
}

/** Sends a deferred text at the end of the pause. A refusal for another pause defers it again. */
export function useDeferredSend({ isDeferred, send, cancel }: DeferredSend): void {
  const { composerNotice, permission } = useConversation()
  const isPaused = typeof useSignalValue(composerNotice, null)?.endsAt === 'number'
  const { canWrite } = useSignalValue(permission, permission.peek())
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of a pause sends, not a key
  useEffect(() => {
    if (!isDeferred) return
    if (!canWrite) cancel()
    else if (!isPaused) send()
  }, [isDeferred, isPaused, canWrite])
}
