import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractWords, foldWord, highlightMatches, parseSearchQuery } from './search-words.ts'

describe('extractWords', () => {
  it.each([
    ['IŞIK ışık İşik', ['işik']],
    ['Kâğıt, kağıt; KÂĞIT!', ['kağit']],
    ['öldü oldu', ['öldü', 'oldu']],
    ['café naïve', ['cafe', 'naive']],
    ['ç o\u0308 s\u0327', ['ç', 'ö', 'ş']],
    ['Ｍｅｒｈａｂａ ﬁl', ['merhaba', 'fil']],
    ['<b>selam</b> a_b 3,5', ['b', 'selam', 'a', '3', '5']],
    ['слово λόγος 言葉', ['слово', 'λογος', '言葉']],
    [' \n…🙂', []],
  ])('[CHAT-32] of %j are %j', (text, words) => {
    expect(extractWords(text)).toEqual(words)
  })

  it('[CHAT-32] returns folded words without separators', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        extractWords(text).every((one) => foldWord(one) === one && /^[\p{L}\p{N}\p{M}]+$/u.test(one)),
      ),
    )
  })
})

describe('parseSearchQuery', () => {
  it.each([
    ['', null],
    ['a', null],
    ['a b !', null],
    ['ab', { words: [], prefix: 'ab' }],
    ['Selam DÜN', { words: ['selam'], prefix: 'dün' }],
    ['selam x', { words: ['selam', 'x'], prefix: null }],
    ['selam selam', { words: [], prefix: 'selam' }],
  ])('[CHAT-33] by %j is %j', (text, query) => {
    expect(parseSearchQuery(text)).toEqual(query)
  })
})

describe('highlightMatches', () => {
  const marked = (text: string, search: string): string => {
    const query = parseSearchQuery(search)
    const pieces = query ? highlightMatches(text, query) : []
    return pieces.map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text)).join('')
  }

  it.each([
    ['Işıl ışıl bir gün', 'işil', '[Işıl] [ışıl] bir gün'],
    ['Bir merhaba, iki MERHABALAR.', 'bir merh', '[Bir] [merhaba], iki [MERHABALAR].'],
    ['Birinci', 'bir x', 'Birinci'],
    ['<img src=x onerror=alert(1)>', 'onerror', '<img src=x [onerror]=alert(1)>'],
  ])('[CHAT-35] in %j by %j is marked where it stands', (text, search, expected) => {
    expect(marked(text, search)).toBe(expected)
  })

  it('[CHAT-35] keeps the text unchanged', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('İ<b>ﬁ</b> ab'))
    fc.assert(
      fc.property(texts, (text) => {
        const pieces = highlightMatches(text, { words: ['b'], prefix: 'fi' })
        return pieces.map((piece) => piece.text).join('') === text
      }),
    )
  })
})
