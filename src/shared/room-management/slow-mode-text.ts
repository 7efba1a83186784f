/** Shown beside the countdown to the next message. A file of its own: every page loads the refusals, which import it. */
export const SLOW_MODE_TEXT = 'Bu odada yavaş mod açık. Bir sonraki mesajın için bekle.'
