/** For a room that nobody is in, on its picture and on its page for strangers. */
export const QUIET_ROOM_TEXT = 'Şimdilik sessiz; ilk gelen sen ol'
