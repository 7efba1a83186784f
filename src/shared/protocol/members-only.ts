/** Message of Forbidden for guests. */
export const MEMBERS_ONLY_TEXT = 'Bunun için üye olmalısın.'
