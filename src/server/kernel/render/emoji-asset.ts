import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
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

/** The module that the picker imports: the URL of its data. */
const VIRTUAL_MODULE = 'virtual:emoji-data'
const DEV_PATH = '/@emoji-data.json'

/** Generates the emoji picker's data: as a hashed asset of the build, in development on request. */
export const emojiAsset: Plugin = {
  name: 'meydan:emoji-data',
  configureServer({ middlewares }) {
    middlewares.use(DEV_PATH, (_, response, next) => {
      const answer = (json: string) => response.setHeader('content-type', 'application/json').end(json)
      readEmoji().then(answer, next)
    })
  },
  resolveId: (id) => (id === VIRTUAL_MODULE ? `\0${VIRTUAL_MODULE}` : null),
  async load(id) {
    if (id !== `\0${VIRTUAL_MODULE}`) return null
    if (this.environment.mode === 'dev') return `export default ${JSON.stringify(DEV_PATH)}`
    const file = this.emitFile({ type: 'asset', name: 'emoji.json', source: await readEmoji() })
    return `export default import.meta.ROLLUP_FILE_URL_${file}`
  },
}

async function readEmoji(): Promise<string> {
  const [data, words] = await Promise.all([
    readJson('@emoji-mart/data/sets/15/native.json'),
    readJson('cldr-annotations-full/annotations/tr/annotations.json'),
  ])
  return JSON.stringify(localiseEmoji(data, words.annotations.annotations))
}

// biome-ignore lint/suspicious/noExplicitAny: both packages are pinned, and a test checks the result.
async function readJson(path: string): Promise<any> {
  return JSON.parse(await readFile(createRequire(import.meta.url).resolve(path), 'utf8'))
}

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
