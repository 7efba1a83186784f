/** The sizes of a room that can be ordered. */
export const MIN_ROOM_CAPACITY = 2
export const MAX_ROOM_CAPACITY = 100_000
/** The longest time that a room is paid for at once. */
export const MAX_DURATION_MONTHS = 60
