/** What turns the direction of writing around, or ends where a name is set apart. */
const bidiControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
/** The same, and the blocks of the scripts that are written from right to left. */
const rightToLeftOrControl =
  /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/**
 * A name for a sentence that has no markup, where `<bdi>` would set it apart: whichever way it is written, it turns
 * nothing around it. Names of today are as they are; an older row may hold anything.
 */
export function isolateBidi(name: string): string {
  return rightToLeftOrControl.test(name) ? `\u2068${name.replace(bidiControls, '')}\u2069` : name
}
