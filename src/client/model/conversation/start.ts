import { outbox } from '../../core/live/state.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { reportFailures } from './failure-toasts.ts'

/** Reports messages that could not be sent, of rooms and of direct conversations. */
export function start(): void {
  reportFailures(outbox.entries, (text) => void toast(text, 'error'))
}
