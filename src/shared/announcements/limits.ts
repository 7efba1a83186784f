import type { PersonLimit } from '../protocol/define.ts'

/** Popups that one user sends to rooms: a burst of 10, then one a minute. */
export const ROOM_POPUP_LIMIT: PersonLimit = { points: 10, perMs: 600_000 }
/** The least time between two popups of one room. */
export const ROOM_POPUP_INTERVAL_MS = 60_000
/** The edges of the square within which a popup's picture is stored, in pixels: twice those of the widest popup. */
export const POPUP_PICTURE_SIDES_PX = [1280] as const
