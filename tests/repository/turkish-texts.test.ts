import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findTurkishTexts } from './find-turkish-texts.ts'

const root = join(import.meta.dirname, '../..')
const MIN_WORDS = 3

it('finds Turkish text in strings, templates, attributes and elements, and not in comments', () => {
  const code = [
    "// 'Bu bir yorum, sayılmaz.'",
    `const texts = ['Oda şu an dolu.', \`Oda şu an \${room} için dolu.\`, 'Oda aç', 'the room is full']`,
    'const page = <p title="Oda listesini aç">Oda şu an\n  boş.</p>',
  ]
  const expected = ['Oda şu an dolu.', 'Oda şu an … için dolu.', 'Oda listesini aç', 'Oda şu an boş.']
  expect(findTurkishTexts('code.tsx', code.join('\n'), MIN_WORDS).toSorted()).toEqual(expected.toSorted())
})

it('has each Turkish text of three words or more once', () => {
  const pathsByText = new Map<string, string[]>()
  for (const path of globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*', '**/testing/**'] }))
    for (const text of findTurkishTexts(path, readFileSync(join(root, path), 'utf8'), MIN_WORDS))
      pathsByText.set(text, [...(pathsByText.get(text) ?? []), path])
  expect(pathsByText.size).toBeGreaterThan(150)
  const repeated = [...pathsByText].filter(([, paths]) => paths.length > 1)
  expect(repeated.map(([text, paths]) => `${text}: ${paths.join(', ')}`)).toEqual([])
})
