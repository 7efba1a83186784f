/** A connection is told of so many rooms at most. */
export const MAX_WATCHED_ROOMS = 50
/** The HTML of a popup is at most so long, in UTF-16 units. */
export const MAX_POPUP_LENGTH = 4_000
