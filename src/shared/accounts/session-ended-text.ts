/** A file of its own: every page loads the session, which shows it, and not the other refusals. */
export const SESSION_ENDED_TEXT = 'Oturumun sona erdi. Lütfen tekrar giriş yap.'
