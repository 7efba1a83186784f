/** Written between white space: what looks like one inside a word, an address or a time is left alone. */
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

/** Hardly any message has one: those are not taken apart. */
const anyShortcode = new RegExp(toAlternation(shortcodes), 'u')
const urlLike = /:\/\/|^www\./u
// One word at a time: an emoticon is a whole word but for the punctuation after it.
const shortcodePattern = new RegExp(
  `^(?:${toAlternation(emoticons)})(?=[.,!?…]*$)|${toAlternation(namedShortcodes)}`,
  'gu',
)

/** The text with its emoji shortcodes replaced. Doing it twice changes nothing more. */
export function replaceShortcodes(text: string): string {
  if (!anyShortcode.test(text)) return text
  return text.replace(/\S+/gu, (word) => {
    return urlLike.test(word) ? word : word.replace(shortcodePattern, (code) => shortcodes[code] ?? code)
  })
}

/** The longest first, so that a code is never read as a shorter one within it. */
function toAlternation(table: Readonly<Record<string, string>>): string {
  const codes = Object.keys(table).sort((a, b) => b.length - a.length)
  return codes.map((code) => code.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')
}
