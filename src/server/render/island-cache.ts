import { LRUCache } from 'lru-cache'
import { escapeJsonForHtml } from './json-block.ts'
import { type PagePart, toKeptPart } from './page-parts.ts'

const MAX_HTML_BYTES = 32 * 1024 * 1024
/** A character of a string takes at most this much memory. */
const BYTES_PER_CHARACTER = 2

interface CachedHtml {
  html: PagePart
  /** The island's id if the HTML contains it, so that other ids need their own; else null. */
  id: string | null
}

const rendered = new LRUCache<string, CachedHtml>({
  maxSize: MAX_HTML_BYTES,
  sizeCalculation: ({ html }, key) => (html.length + key.length) * BYTES_PER_CHARACTER,
})
const jsonByObject = new WeakMap<object, PagePart>()
const identities = new WeakMap<object, number>()
let identityCount = 0

/**
 * The HTML of an island, rendered once for the same values. A frozen object is compared by identity: the server keeps
 * such objects over many pages (`KeptLists`, `SharedMessages`). Other values are compared by content.
 */
export function reuseHtml(name: string, id: string, values: readonly unknown[], render: () => string): PagePart {
  const key = `${name} ${values.map(keyOf).join()}`
  const cached = rendered.get(key)
  if (cached && (cached.id === null || cached.id === id)) return cached.html
  const text = render()
  const html = toKeptPart(text)
  rendered.set(key, { html, id: text.includes(id) ? id : null })
  return html
}

/** A value as JSON that cannot end a script element; made once for a frozen object. */
export function jsonOf(value: unknown): PagePart {
  if (!isKept(value)) return escapeJsonForHtml(JSON.stringify(value))
  const cached = jsonByObject.get(value)
  if (cached !== undefined) return cached
  const json = toKeptPart(escapeJsonForHtml(JSON.stringify(value)))
  jsonByObject.set(value, json)
  return json
}

function keyOf(value: unknown): string | undefined {
  if (!isKept(value)) return JSON.stringify(value)
  const identity = identities.get(value) ?? ++identityCount
  identities.set(value, identity)
  return `#${identity}`
}

function isKept(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.isFrozen(value)
}
