import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { foldEmojiWord } from '../../../shared/room-chat/emoji-words.ts'
import { type Annotations, type EmojiData, localiseEmoji } from './emoji-asset.ts'

const load = createRequire(import.meta.url)
const data: EmojiData = load('@emoji-mart/data/sets/15/native.json')
const annotations: Annotations = load('cldr-annotations-full/annotations/tr/annotations.json').annotations.annotations
const { emojis } = localiseEmoji(data, annotations)

/** Matches as the picker does: each search term is a prefix of a keyword. */
function has(id: string, asked: string): boolean {
  const keywords = emojis[id]?.keywords ?? []
  return asked.split(' ').every((word) => keywords.some((keyword) => keyword.startsWith(foldEmojiWord(word))))
}

describe('emoji in Turkish', () => {
  it.each([
    ['kalp', 'heart'],
    ['gülen', 'grinning'],
    ['gülen yüz', 'grinning'],
    ['ateş', 'fire'],
    ['ATEŞ', 'fire'],
    ['köpek', 'dog'],
    ['gozyasi', 'joy'],
    ['GÖZYAŞI', 'joy'],
    ['kırmızı', 'heart'],
    ['KIRMIZI', 'heart'],
    ['kirmizi', 'heart'],
    ['İtfaiye', 'fire_engine'],
    ['itfaiye', 'fire_engine'],
    ['türkiye', 'flag-tr'],
    ['İsveç', 'flag-se'],
    ['aşk', 'heart'],
    ['kızıl saç', 'red_haired_woman'],
    ['erkek çocuk', 'man-woman-girl-boy'],
  ])('[CHAT-43] finds by "%s" %s', (asked, id) => {
    expect(has(id, asked)).toBe(true)
  })

  it('[CHAT-43] keeps every English keyword', () => {
    const lost = Object.entries(data.emojis).flatMap(([id, { name, keywords }]) =>
      [...name.split(/[^\p{L}\p{N}]+/u), ...keywords]
        .filter((word) => /^[\p{L}\p{N}]+$/u.test(word) && !has(id, word))
        .map((word) => `${id}: ${word}`),
    )
    expect(lost).toEqual([])
  })

  it('[CHAT-43] names nearly all emoji in Turkish and drops none', () => {
    expect(Object.keys(emojis)).toEqual(Object.keys(data.emojis))
    const unnamed = Object.keys(emojis).filter((id) => emojis[id]?.name === data.emojis[id]?.name)
    expect(unnamed.length).toBeLessThan(10)
    expect(emojis.heart?.name).toBe('kırmızı kalp')
    expect(emojis['flag-tr']?.name).toBe('bayrak: Türkiye')
  })

  it('[CHAT-28] keeps the characters of every skin tone and the other data', () => {
    const { emojis: ours, ...rest } = localiseEmoji(data, annotations)
    const { emojis: theirs, ...given } = data
    const characters = (of: EmojiData['emojis']) =>
      Object.values(of).map(({ skins }) => skins.map((skin) => skin.native))
    expect(rest).toEqual(given)
    expect(characters(ours)).toEqual(characters(theirs))
  })
})
