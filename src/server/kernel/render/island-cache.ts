import { LRUCache } from 'lru-cache'
import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { RenderCachedContext } from '../../../client/core/islands/cached-html.tsx'
import { escapeJsonForHtml } from './json-block.ts'
import { type PagePart, toCachedPart } from './page-parts.ts'

const MAX_HTML_BYTES = 32 * 1024 * 1024
const MAX_ELEMENT_BYTES = 16 * 1024 * 1024
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
const elements = new LRUCache<string, string>({
  maxSize: MAX_ELEMENT_BYTES,
  sizeCalculation: (html, key) => (html.length + key.length) * BYTES_PER_CHARACTER,
})
const jsonParts = new WeakMap<object, PagePart>()
const jsonTexts = new WeakMap<object, string>()
const identities = new WeakMap<object, number>()
let identityCount = 0

/**
 * The HTML of an island, rendered once for the same values. A frozen object is compared by identity: the server keeps
 * such objects over many pages (`CachedLists`, `SharedMessages`). Other values are compared by content.
 */
export function reuseHtml(name: string, id: string, values: readonly unknown[], render: () => string): PagePart {
  const key = `${name} ${values.map(keyOf).join()}`
  const cached = rendered.get(key)
  if (cached && (cached.id === null || cached.id === id)) return cached.html
  const text = render()
  const html = toCachedPart(text)
  rendered.set(key, { html, id: text.includes(id) ? id : null })
  return html
}

/** React starts with a preload of each image. Inside an island it would not find its element behind that (error 418). */
const PRELOADS = /^(?:<link rel="preload" as="image"[^>]*>)+/

/** The HTML of an element inside an island; of a component it is kept for the same props (`RenderCached`). */
export function renderCached(element: ReactElement<object>): string {
  const { type, props } = element
  if (typeof type === 'string') return renderToString(element)
  // A copy, because React freezes props in development.
  const key = `${identityOf(type)} ${deepKeyOf({ ...props })}`
  const kept = elements.get(key)
  if (kept !== undefined) return kept
  const html = renderToString(createElement(RenderCachedContext, { value: renderCached }, element))
  const own = html.replace(PRELOADS, '')
  elements.set(key, own)
  return own
}

/** A value as JSON that cannot end a script element; made once for a frozen object. */
export function jsonOf(value: unknown): PagePart {
  if (!isKept(value)) return jsonTextOf(value)
  const cached = jsonParts.get(value)
  if (cached !== undefined) return cached
  const json = toCachedPart(Array.isArray(value) ? `[${value.map(jsonTextOf).join()}]` : jsonTextOf(value))
  jsonParts.set(value, json)
  return json
}

/** As `jsonOf`, for an entry of a list: most of its entries stay when a list changes. */
function jsonTextOf(value: unknown): string {
  const cached = isKept(value) ? jsonTexts.get(value) : undefined
  if (cached !== undefined) return cached
  const json = escapeJsonForHtml(JSON.stringify(value))
  if (isKept(value)) jsonTexts.set(value, json)
  return json
}

/** A text that is the same for equal values; frozen objects are equal when they are the same. */
function keyOf(value: unknown): string | undefined {
  return isKept(value) ? `#${identityOf(value)}` : JSON.stringify(value)
}

/** As `keyOf`, for values that may contain frozen objects, such as a group of bubbles. */
function deepKeyOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return keyOf(value)
  if (Array.isArray(value)) return `[${value.map(deepKeyOf).join()}]`
  const pairs = Object.entries(value).map(([name, inner]) => `${name}:${deepKeyOf(inner)}`)
  return `{${pairs.join()}}`
}

function identityOf(value: object): number {
  const identity = identities.get(value) ?? ++identityCount
  identities.set(value, identity)
  return identity
}

function isKept(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.isFrozen(value)
}
