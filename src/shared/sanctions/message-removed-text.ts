/** Shown in the place of a removed message. Apart from texts.ts, because every page of a room has it. */
export const MESSAGE_REMOVED_TEXT = 'Bu mesaj kaldırıldı'
