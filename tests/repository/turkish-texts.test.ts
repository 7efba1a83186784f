import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const MIN_WORDS = 3

it('finds Turkish text in strings, templates, attributes and elements, and not in comments', () => {
  const code = [
    "// 'Bu bir yorum, sayılmaz.'",
    `const texts = ['Oda şu an dolu.', \`Oda şu an \${room} için dolu.\`, 'Oda aç', 'the room is full']`,
    'const page = <p title="Oda listesini aç">Oda şu an\n  boş.</p>',
  ]
  const expected = ['Oda şu an dolu.', 'Oda şu an … için dolu.', 'Oda listesini aç', 'Oda şu an boş.']
  expect(findTurkishTexts('code.tsx', code.join('\n')).toSorted()).toEqual(expected.toSorted())
})

it('has each Turkish text of three words or more once', () => {
  const pathsByText = new Map<string, string[]>()
  for (const path of globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*', '**/testing/**'] }))
    for (const text of findTurkishTexts(path, readFileSync(join(root, path), 'utf8')))
      pathsByText.set(text, [...(pathsByText.get(text) ?? []), path])
  expect(pathsByText.size).toBeGreaterThan(150)
  const repeated = [...pathsByText].filter(([, paths]) => paths.length > 1)
  expect(repeated.map(([text, paths]) => `${text}: ${paths.join(', ')}`)).toEqual([])
})

/** The Turkish texts of three words or more in a source file, white space folded; `…` is what a template inserts. */
function findTurkishTexts(path: string, source: string): string[] {
  return textsOf(parseSync(path, source).program)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text.split(' ').length >= MIN_WORDS && /[çğıöşüÇĞİÖŞÜ]/.test(text))
}

function textsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const inner = Object.values(node).flatMap(textsOf)
  if (!('type' in node)) return inner
  if (node.type === 'TemplateLiteral' && 'quasis' in node && Array.isArray(node.quasis))
    return [node.quasis.map((part) => part.value.cooked).join('…'), ...inner]
  const isText = node.type === 'Literal' || node.type === 'JSXText'
  return isText && 'value' in node && typeof node.value === 'string' ? [node.value, ...inner] : inner
}
