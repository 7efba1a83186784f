import { foldEmojiWord } from '../../../shared/room-chat/emoji-words.ts'

/** The part of the picker's data that is read or changed here; the rest is kept. */
export interface EmojiData {
  emojis: Record<string, Emoji>
}

interface Emoji {
  /** The tooltip. */
  name: string
  keywords: string[]
  /** One per skin tone; the first is without. */
  skins: { native: string }[]
}

/** CLDR annotations: name (`tts`) and keywords (`default`) of each character. */
export type Annotations = Record<string, { default?: string[]; tts?: string[] }>

const countries = new Intl.DisplayNames('tr', { type: 'region' })
/** A flag is two regional indicators, one per letter of the country code. */
const flagPattern = /^[\u{1F1E6}-\u{1F1FF}]{2}$/u
/** Requests the colour glyph; CLDR omits it. */
const variationSelector = /\uFE0F/gu
/** Joins the characters of families, couples and hair styles, most of which CLDR does not annotate as a whole. */
const zeroWidthJoiner = '\u200D'

/**
 * The picker's data with Turkish names, and with Turkish keywords added to the English ones, folded as search terms are.
 * Skins keep only the native character.
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

/** The picker matches keywords by prefix, so each word of a phrase is a keyword, and prefixes of others are dropped. */
function toKeywords(phrases: readonly string[]): string[] {
  const words = [...new Set(phrases.flatMap((phrase) => foldEmojiWord(phrase).match(/[\p{L}\p{N}_]+/gu) ?? []))]
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
}
