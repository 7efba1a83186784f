/** Emoticons between white space or at the end of a word; inside words, addresses and times they stay text. */
const emoticons: Readonly<Record<string, string>> = {
  ':)': '🙂',
  ':-)': '🙂',
  ':D': '😄',
  ':-D': '😄',
  ':P': '😛',
  ':p': '😛',
  ':-P': '😛',
  ':(': '🙁',
  ':-(': '🙁',
  ';)': '😉',
  ';-)': '😉',
  ":'(": '😢',
  ':o': '😮',
  ':O': '😮',
  ':*': '😘',
  ':|': '😐',
  ':/': '😕',
  ':@': '😠',
  '>:(': '😠',
  'B-)': '😎',
  xD: '😆',
  XD: '😆',
  '^_^': '😊',
  '-_-': '😑',
  '<3': '❤️',
  '</3': '💔',
}

/** Written with colons, anywhere but in an address. */
const namedShortcodes: Readonly<Record<string, string>> = {
  ':heart:': '❤️',
  ':fire:': '🔥',
  ':thumbsup:': '👍',
  ':thumbsdown:': '👎',
  ':smile:': '😄',
  ':joy:': '😂',
  ':cry:': '😢',
  ':wink:': '😉',
  ':kiss:': '😘',
  ':sunglasses:': '😎',
  ':clap:': '👏',
  ':pray:': '🙏',
  ':wave:': '👋',
  ':muscle:': '💪',
  ':eyes:': '👀',
  ':star:': '⭐',
  ':rose:': '🌹',
  ':tada:': '🎉',
}

/** The shortcodes that a message may be written with and what each becomes (specification 1, point 5). */
export const shortcodes: Readonly<Record<string, string>> = { ...emoticons, ...namedShortcodes }

/** Quick check, because most messages have no shortcode. */
const anyShortcode = new RegExp(toAlternation(shortcodes), 'u')
const urlLike = /:\/\/|^www\.|^(?:https?|ftp|file|mailto):/iu
/** What an emoticon may follow at the end of a word: two letters, so that neither a time nor `C:/` is one. */
const wordBefore = `(?<=^["'(]?@?[\\p{L}\\p{M}\\p{N}'’_-]*[\\p{L}\\p{M}]{2}[.,!?…]*)`
// One word at a time; an emoticon has nothing but punctuation after it. One that begins with a letter (xD) is a whole word.
const shortcodePattern = new RegExp(
  `(?:^|${wordBefore}(?![A-Za-z]))(?:${toAlternation(emoticons)})(?=[.,!?…]*$)|${toAlternation(namedShortcodes)}`,
  'gu',
)

/** Replaces emoji shortcodes. Idempotent. */
export function replaceShortcodes(text: string): string {
  if (!anyShortcode.test(text)) return text
  return text.replace(/\S+/gu, (word) => {
    return urlLike.test(word) ? word : word.replace(shortcodePattern, (code) => shortcodes[code] ?? code)
  })
}

/** Longest first, so that a code is not matched as a shorter one inside it. */
function toAlternation(table: Readonly<Record<string, string>>): string {
  const codes = Object.keys(table).sort((a, b) => b.length - a.length)
  return codes.map((code) => code.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')
}
