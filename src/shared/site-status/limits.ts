/** The most rooms that a connection watches. */
export const MAX_WATCHED_ROOMS = 50
/** The longest HTML of a popup, in UTF-16 units. */
export const MAX_POPUP_LENGTH = 4_000
