import { signal } from '../../../core/signals/signal.ts'

/** The unread messages of the shown thread, for the tab's title. */
export const unreadInThread = signal(0)
