/** Controls that change the writing direction or end an isolate. */
const bidiControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
/** The same, and the blocks of right-to-left scripts. */
const rightToLeftOrControl =
  /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/**
 * A name for text without markup, where `<bdi>` is not possible: right-to-left names and names with controls, which old
 * rows may have, are isolated so that they do not reorder the text around them.
 */
export function isolateBidi(name: string): string {
  return rightToLeftOrControl.test(name) ? `\u2068${name.replace(bidiControls, '')}\u2069` : name
}
