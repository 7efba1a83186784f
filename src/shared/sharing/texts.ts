/** Replaces the number of people of an empty room, on its share picture and on its page for strangers. */
export const QUIET_ROOM_TEXT = 'Şimdilik sessiz; ilk gelen sen ol'
