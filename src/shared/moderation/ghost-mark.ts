/**
 * Before the text of a message that only its ghost-banned sender and root admins see. Apart from rules.ts, because every
 * page of a room has it.
 */
export const GHOST_MARK = 'Hayalet'
