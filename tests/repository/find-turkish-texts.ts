import { parseSync } from 'vite'

/** The Turkish texts of at least `minWords` words in a source file, white space folded; `…` is what a template inserts. */
export function findTurkishTexts(path: string, source: string, minWords: number): string[] {
  return textsOf(parseSync(path, source).program)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text.split(' ').length >= minWords && /[çğıöşüÇĞİÖŞÜ]/.test(text))
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
