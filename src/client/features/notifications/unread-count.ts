import type { RoomId } from '../../../shared/protocol/ids.ts'
import { signal } from '../../core/signals/signal.ts'

/** The viewer's unread notifications; 0 until they are loaded. */
export const unreadNotificationCount = signal(0)

/** How many of the loaded mentions are unread, by room; empty until they are loaded. */
export const unreadMentions = signal<ReadonlyMap<RoomId, number>>(new Map())
