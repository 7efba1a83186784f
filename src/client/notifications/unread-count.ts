import { signal } from '../signal.ts'

/** The viewer's unread notifications; 0 until they are loaded. */
export const unreadNotificationCount = signal(0)
