/** The longest edges of an uploaded picture's sizes, in pixels. */
export const LARGE_PX = 2048
/** Pictures of posts have it too: the width of a card on a dense screen. */
export const MEDIUM_PX = 1080
export const THUMBNAIL_PX = 480
