import { signal } from '../../core/signals/signal.ts'

/** The viewer's unread direct messages; 0 until the list of conversations is loaded. */
export const unreadMessageCount = signal(0)
