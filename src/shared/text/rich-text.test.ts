import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteExcerpt } from '../room-chat/quotes.ts'
import { formatMention } from './format-mention.ts'
import { parseRichText } from './rich-text.ts'

const links = (text: string) => parseRichText(text).flatMap((piece) => (piece.kind === 'link' ? [piece.href] : []))
const names = (text: string) => parseRichText(text).flatMap((piece) => (piece.kind === 'mention' ? [piece.name] : []))

/** Text with many lookalikes of mentions and links. */
const written = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '@',
        '@[',
        '{',
        '}]',
        '@[{',
        'ali',
        'Ayşe',
        '.',
        '-',
        ' ',
        '\n',
        'http://',
        'https://',
        'www.',
        ')',
      ),
    ),
  )
  .map((parts) => parts.join(''))

describe('parseRichText', () => {
  it.each([
    ['@ali selam', ['ali']],
    ['selam @Ayşe_1, @[{Çağla}]!', ['Ayşe_1', 'Çağla']],
    ['(@ali) "@veli"', ['ali', 'veli']],
    ['@[veli.]', ['veli.']],
    ['@ali. @ali- @a.l-i', ['ali', 'ali', 'a.l-i']],
    ['ali@example.com', []],
    ['https://x.example/@ali', []],
    ['@ ali @@ali @[] @[{}] @[a b]', []],
  ])('[CHAT-24] finds in %j the names %j', (text, found) => {
    expect(names(text)).toEqual(found)
  })

  it.each([
    ['bak: https://meydan.example/a?b=1#c.', ['https://meydan.example/a?b=1#c']],
    ['(http://x.example/a_(b))', ['http://x.example/a_(b)']],
    ['www.x.example, WWW.Y.example', ['https://www.x.example', 'https://WWW.Y.example']],
    ['https://x.example/"onmouseover=alert(1)', ['https://x.example/']],
  ])('[CHAT-27] finds in %j the addresses %j', (text, found) => {
    expect(links(text)).toEqual(found)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://x.example',
    'https://',
    'https://meydan.example@evil.example/',
    'https://a:b@evil.example',
    'http://[',
    'xwww.evil.example',
  ])('[CHAT-27] leaves %j as text', (text) => {
    expect(links(text)).toEqual([])
  })

  it('[CHAT-27] keeps all text, and links only to http and https, for any text', () => {
    fc.assert(
      fc.property(written, (text) => {
        const pieces = parseRichText(text)
        const isWhole = pieces.map((piece) => piece.text).join('') === text
        return isWhole && links(text).every((href) => /^https?:$/.test(new URL(href).protocol))
      }),
    )
  })

  it('[CHAT-49] makes at most 20 links of a text and leaves the rest of it as it is', () => {
    const text = 'www.a '.repeat(333)
    const pieces = parseRichText(text)
    expect(links(text)).toEqual(Array(20).fill('https://www.a'))
    expect(pieces).toHaveLength(40)
    expect(pieces.at(-1)).toEqual({ kind: 'text', text: ` ${'www.a '.repeat(313)}` })
    expect(names(`${text}@ali`)).toEqual(['ali'])
  })

  it('[CHAT-50] leaves mentions beyond a given number as text', () => {
    const pieces = parseRichText('@ali '.repeat(400), { maxMentions: 20 })
    expect(pieces.filter(({ kind }) => kind === 'mention')).toHaveLength(20)
    expect(pieces.at(-1)).toEqual({ kind: 'text', text: ` ${'@ali '.repeat(380)}` })
  })

  it('[CHAT-24] a name without its @ never makes another mention', () => {
    fc.assert(
      fc.property(written, (text) => {
        const stripped = parseRichText(text).map((piece) => (piece.kind === 'mention' ? piece.name : piece.text))
        return names(stripped.join('')).length === 0
      }),
    )
  })

  it('[CHAT-24] [CHAT-27] takes linear time on adversarial texts', () => {
    for (const part of ['@', '@[{', 'https://', ')', 'www.', '@a.', 'a@', '(', 'https://x.example/)']) {
      // Two hundred messages long: a quadratic scan would take minutes.
      const text = part.repeat(400_000 / part.length)
      expect(
        parseRichText(text).reduce((length, piece) => length + piece.text.length, 0),
        part,
      ).toBe(text.length)
    }
  })
})

describe('writeMention', () => {
  it.each([
    ['ali', '@ali'],
    ['a.l-i_', '@a.l-i_'],
    ['ali.', '@[{ali.}]'],
    ['ali-', '@[{ali-}]'],
  ])('[CHAT-26] writes %j as %j, which is read as that name again', (name, mention) => {
    expect(formatMention(name)).toBe(mention)
    expect(names(`${mention} selam`)).toEqual([name])
  })
})

describe('quoteText', () => {
  it('[CHAT-20] returns one line, cut between whole characters', () => {
    expect(quoteExcerpt('bir\n\niki  @[{ali.}] gel', 60)).toBe('bir iki @ali. gel')
    expect(quoteExcerpt('a'.repeat(60), 60)).toBe('a'.repeat(60))
    expect(quoteExcerpt('a'.repeat(61), 60)).toBe(`${'a'.repeat(60)}…`)
    expect(quoteExcerpt('😀'.repeat(101), 100)).toBe(`${'😀'.repeat(100)}…`)
    expect(quoteExcerpt(`${'a'.repeat(58)} b c`, 60)).toBe(`${'a'.repeat(58)} b…`)
  })

  it('[CHAT-20] never exceeds the limit and never splits a character, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(60, 100), (text, length) => {
        const quote = quoteExcerpt(text, length)
        return [...quote].length <= length + 1 && (quote.isWellFormed() || !text.isWellFormed())
      }),
    )
  })
})
