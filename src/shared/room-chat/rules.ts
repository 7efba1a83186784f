import { replaceShortcodes } from '../text/emoji.ts'
import { plainText } from '../text/plain-text.ts'
import { capitaliseFirst } from '../text/turkish.ts'

/** Shown when a message could not be sent, and at one without an answer (specification 1, points 4 and 8). */
export const MESSAGE_FAILED = 'Mesaj gönderilemedi!'

/**
 * A message as it is stored and shown: newlines as `\n`, no control characters, trimmed, shortcodes as emoji, the first
 * letter capitalised the Turkish way. `''` means that nothing is visible and the message is ignored. A normalised
 * text does not change again, so the browser may normalise it before the server does.
 */
export function normaliseMessage(text: string): string {
  return capitaliseFirst(replaceShortcodes(plainText(text)))
}
