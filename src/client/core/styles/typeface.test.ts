import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fonts } from '../../page/routes/_app.tsx'

const { resolve } = createRequire(import.meta.url)
const TURKISH = 'abcçdefgğhıijklmnoöprsştuüvyzABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ0123456789₺.,:;!?-…“”’'
const MAX_PRELOADED_BYTES = 52_000

const css = readFileSync(new URL('./typeface.css', import.meta.url), 'utf8')
/** The faces with a file, in their order. */
const faces = [...css.matchAll(/@font-face \{(.*?)\}/gs)].flatMap(([, face = '']) => {
  const url = face.match(/url\("(.+?)"\)/)?.[1]
  const ranges = face.match(/unicode-range:(.*?);/s)?.[1]?.split(',') ?? []
  return url === undefined ? [] : [{ url, ranges: ranges.map(parseRange) }]
})

/** `U+0100-0130` or `U+0131`. */
function parseRange(range: string): [first: number, last: number] {
  const [first = '', last = first] = range.trim().slice('U+'.length).split('-')
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
}

/** Of faces with the same characters the last one counts (CSS Fonts 4, "Composite faces"). */
function faceOf(letter: string): string | undefined {
  const code = letter.codePointAt(0) ?? 0
  return faces.findLast(({ ranges }) => ranges.some(([first, last]) => first <= code && code <= last))?.url
}

it('[SHELL-120] preloads the fonts that Turkish texts need and no other, at most 52 KB', () => {
  const needed = new Set([...TURKISH].map(faceOf))
  expect([...needed].map((url) => basename(url ?? 'none')).sort()).toEqual(fonts.map((url) => basename(url)).sort())
  const files = [...needed].map((url = '') =>
    url.startsWith('.') ? fileURLToPath(new URL(url, import.meta.url)) : resolve(url),
  )
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  expect(bytes).toBeLessThanOrEqual(MAX_PRELOADED_BYTES)
  expect(faceOf('ž')).toMatch(/latin-ext/)
})
