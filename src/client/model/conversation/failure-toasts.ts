import { MESSAGE_FAILED } from '../../../shared/room-chat/rules.ts'
import type { OutboxEntry } from '../../core/live/outbox.ts'
import { effect, type ReadonlySignal } from '../../core/signals/signal.ts'

/**
 * Shows a text when a message could not be sent; its conversation keeps the message, to be tried again. One that had
 * failed before, as after a reload, is not reported again. Returns the function that stops it.
 */
export function reportFailures(
  entries: ReadonlySignal<readonly OutboxEntry[]>,
  show: (text: string) => void,
): () => void {
  let waiting: ReadonlySet<string> = new Set()
  return effect(() => {
    const [failed, waits] = [entries.value.filter(hasFailed), entries.value.filter((entry) => !hasFailed(entry))]
    if (failed.some(({ clientId }) => waiting.has(clientId))) show(MESSAGE_FAILED)
    waiting = new Set(waits.map(({ clientId }) => clientId))
  })
}

function hasFailed({ failure }: OutboxEntry): boolean {
  return failure !== null
}
