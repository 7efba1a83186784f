import { foldEmojiWord } from '../../shared/room-chat/emoji-words.ts'

/** Of the picker's data what is read or changed here; the rest goes through as it is. */
export interface EmojiData {
  emojis: Record<string, Emoji>
}

interface Emoji {
  /** Shown where the mouse rests. */
  name: string
  keywords: string[]
  /** One for each colour of skin, the first without. */
  skins: { native: string }[]
}

/** What each character is called (`tts`) and known by, as Unicode's CLDR has it. */
export type Annotations = Record<string, { default?: string[]; tts?: string[] }>

const countries = new Intl.DisplayNames('tr', { type: 'region' })
/** A flag is the two letters of its country, each as a character of its own. */
const flagPattern = /^[\u{1F1E6}-\u{1F1FF}]{2}$/u
/** Says only that a character is to be drawn in colour; CLDR leaves it out. */
const variationSelector = /\uFE0F/gu
/** Families, couples and hair, which CLDR has no words for here, are put together from others by this. */
const zeroWidthJoiner = '\u200D'

/**
 * The picker's data with Turkish names, and Turkish words beside the English ones, folded as what is looked for is.
 * Of the skins only what a browser's own emoji need is kept.
 */
export function localiseEmoji<T extends EmojiData>(data: T, annotations: Annotations): T {
  const emojis = Object.entries(data.emojis).map(([id, emoji]): [string, Emoji] => {
    const character = (emoji.skins[0]?.native ?? '').replace(variationSelector, '')
    const turkish = flagPattern.test(character) ? localiseFlag(character) : localiseCharacter(character, annotations)
    const skins = emoji.skins.map(({ native }) => ({ native }))
    const keywords = toKeywords([...turkish.words, emoji.name, ...emoji.keywords])
    return [id, { ...emoji, name: turkish.name || emoji.name, keywords, skins }]
  })
  return { ...data, emojis: Object.fromEntries(emojis) }
}

function localiseFlag(character: string): { name: string; words: string[] } {
  const letters = [...character].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x1f1e6 + 0x41))
  const name = `bayrak: ${countries.of(letters.join(''))}`
  return { name, words: [name] }
}

function localiseCharacter(character: string, annotations: Annotations): { name: string; words: string[] } {
  const parts = annotations[character] ? [character] : character.split(zeroWidthJoiner)
  const known = parts.flatMap((part) => annotations[part] ?? [])
  const names = known.flatMap(({ tts = [] }) => tts)
  return {
    name: [...new Set(names)].join(', '),
    words: [...names, ...known.flatMap(({ default: words = [] }) => words)],
  }
}

/**
 * The picker takes a keyword by its beginning, so each word of `gülen yüz` is one, and what another one begins with
 * is left out.
 */
function toKeywords(phrases: readonly string[]): string[] {
  const words = [...new Set(phrases.flatMap((phrase) => foldEmojiWord(phrase).match(/[\p{L}\p{N}_]+/gu) ?? []))]
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
}
