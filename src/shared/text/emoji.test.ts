import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replaceShortcodes, shortcodes } from './emoji.ts'

const codes = Object.keys(shortcodes)

describe('replaceShortcodes', () => {
  it('[CHAT-04] knows about 40 shortcodes, those that the specification names among them', () => {
    expect(codes.length).toBeGreaterThanOrEqual(40)
    expect(codes).toEqual(expect.arrayContaining([':)', ':D', ':P', ':(', ';)', ':heart:', ':fire:', ':thumbsup:']))
  })

  it.each(codes)('[CHAT-04] replaces %s alone, within a sentence and before a full stop', (code) => {
    const emoji = shortcodes[code]
    expect(replaceShortcodes(code)).toBe(emoji)
    expect(replaceShortcodes(`selam ${code} nasılsın`)).toBe(`selam ${emoji} nasılsın`)
    expect(replaceShortcodes(`güzel ${code}.\n${code}`)).toBe(`güzel ${emoji}.\n${emoji}`)
  })

  it.each([
    ['selam:)', 'selam🙂'],
    ['Selam:D.', 'Selam😄.'],
    ['olmadı:/', 'olmadı😕'],
    ['güldüm...:D', 'güldüm...😄'],
    ["Ayşe'yi<3 çok", "Ayşe'yi❤️ çok"],
    ['@ali:) gel', '@ali🙂 gel'],
    ['sinir>:(', 'sinir😠'],
    ['merhaba^_^!', 'merhaba😊!'],
  ])('[CHAT-45] replaces an emoticon at the end of a word: %j becomes %j', (text, replaced) => {
    expect(replaceShortcodes(text)).toBe(replaced)
  })

  it('[CHAT-04] replaces named codes that stand side by side', () => {
    expect(replaceShortcodes('süper:fire::fire:')).toBe('süper🔥🔥')
  })

  it.each([
    'http://meydan.example/oda',
    'https://x:8080/',
    'https://x/:heart:',
    'www.x.example/:fire:',
    'saat 12:30',
    '10:00:00',
    'xDöner',
    'a:b',
    'not:(parantez)',
    'fe80::1',
    '1 <3.5',
    ':hearts:',
    ':):)',
    'saat 12:30:)',
    'C:/',
    'https:/',
    'örnek.com:/',
    'ayse@posta.example:)',
    'fe80:ab:D',
    'maxD',
    '1<3',
    '00:1a:D',
  ])('[CHAT-04] leaves %j as it is', (text) => {
    expect(replaceShortcodes(text)).toBe(text)
  })

  it('[CHAT-04] is idempotent and never makes a text longer', () => {
    const piece = fc.oneof(
      fc.constantFrom(...codes),
      fc.constantFrom(' ', '\n', ':', '/', '.', 'a', '://'),
      fc.string(),
    )
    const text = fc.array(piece).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, (written) => {
        const once = replaceShortcodes(written)
        return replaceShortcodes(once) === once && once.length <= written.length
      }),
    )
  })
})
