import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { capitaliseFirst, foldName } from './turkish.ts'

const unicode = fc.string({ unit: 'binary' })

describe('foldName', () => {
  it('[ACC-02] folds Işıl, işil and IŞIL to one name, and isil to another', () => {
    expect(new Set(['Işıl', 'işil', 'IŞIL', 'ışıl', 'İŞİL', 'i\u0307şil'].map(foldName))).toEqual(new Set(['işil']))
    expect(foldName('isil')).toBe('isil')
  })

  it.each([
    ['full-width letters', 'Ｍｅｙｄａｎ', 'meydan'],
    ['ligatures', 'ﬁliz', 'filiz'],
    ['composed and decomposed letters', 'o\u0308zge', 'özge'],
    ['letters that compose only in lower case', 'J\u030C', 'ǰ'],
    ['the Kelvin sign', '\u212Aemal', 'kemal'],
  ])('[ACC-02] sees through %s', (_, name, folded) => {
    expect(foldName(name)).toBe(folded)
  })

  it('[ACC-02] distinguishes different letters', () => {
    expect(foldName('Şeyma')).not.toBe(foldName('Seyma'))
  })

  it('[ACC-02] is idempotent for any text', () => {
    fc.assert(fc.property(unicode, (name) => foldName(foldName(name)) === foldName(name)))
  })

  it('[ACC-02] folds the Turkish and the English upper and lower case of a name alike', () => {
    const turkish = fc.string({
      unit: fc.constantFrom(...'abcçdefgğhıijklmnoöprsştuüvyzABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ'),
    })
    fc.assert(
      fc.property(turkish, (name) => {
        const variants = [
          name.toUpperCase(),
          name.toLowerCase(),
          name.toLocaleUpperCase('tr'),
          name.toLocaleLowerCase('tr'),
        ]
        return variants.every((way) => foldName(way) === foldName(name))
      }),
    )
  })
})

describe('capitaliseFirst', () => {
  it.each([
    ['iyi akşamlar', 'İyi akşamlar'],
    ['ılık bir gün', 'Ilık bir gün'],
    ['i\u0307yi', 'İyi'],
    ['şimdi', 'Şimdi'],
    ['  selam', '  Selam'],
    ['Zaten büyük', 'Zaten büyük'],
    ['𐐨𐐩', '𐐀𐐩'],
    ['', ''],
    ['   ', '   '],
  ])('[CHAT-03] turns %j into %j', (text, capitalised) => {
    expect(capitaliseFirst(text)).toBe(capitalised)
  })

  it.each(['😀 selam', '3 kişi', '"selam"', '(selam)', '@ali selam', 'ß', '\uD83D yarım'])(
    '[CHAT-03] leaves %j as it is',
    (text) => {
      expect(capitaliseFirst(text)).toBe(text)
    },
  )

  it.each([
    'https://meydan.example/oda',
    'www.meydan.example',
    '  http://x.example bak',
    'ayse@posta.example yazar',
    'mailto://x',
    'ornek.com güzel',
    'node.js öğren',
    'ayse@',
    'mailto:ayse@posta',
    'git+ssh://x',
  ])('[CHAT-44] leaves %j, which begins with an address or a name with a dot, as it is', (text) => {
    expect(capitaliseFirst(text)).toBe(text)
  })

  it.each([
    ['selam https://x.example', 'Selam https://x.example'],
    ['wwwe', 'Wwwe'],
    ['bak ornek.com', 'Bak ornek.com'],
    ['selam @ali', 'Selam @ali'],
    ['evet. hayır', 'Evet. hayır'],
    ['şey...', 'Şey...'],
    ['yani...bilmem', 'Yani...bilmem'],
    ['saat 10.30', 'Saat 10.30'],
  ])('[CHAT-44] capitalises %j, whose first word is an ordinary one', (text, capitalised) => {
    expect(capitaliseFirst(text)).toBe(capitalised)
  })

  it('[CHAT-03] changes at most one character and keeps the length', () => {
    fc.assert(
      fc.property(unicode, (text) => {
        const before = [...text.replaceAll('\u0307', '')]
        const after = [...capitaliseFirst(before.join(''))]
        return after.length === before.length && after.filter((char, at) => char !== before[at]).length <= 1
      }),
    )
  })
})
