import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const MAX_BYTES = 32 * 1024 * 1024
/** A character of a string takes at most this much memory. */
const BYTES_PER_CHARACTER = 2

interface RenderedIsland {
  html: string
  /** The island's id if the HTML contains it, so that other ids need their own; else null. */
  id: string | null
}

const rendered = new LRUCache<string, RenderedIsland>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ html }, key) => (html.length + key.length) * BYTES_PER_CHARACTER,
})

/**
 * The HTML of an island, rendered once for the same values (decision 0025). A hash stands for them, which nobody can make
 * collide: it is shorter than a room's messages.
 */
export function reuseHtml(name: string, id: string, values: unknown, render: () => string): string {
  const key = hash('sha256', JSON.stringify([name, values]), 'base64')
  const cached = rendered.get(key)
  if (cached && (cached.id === null || cached.id === id)) return cached.html
  const html = render()
  rendered.set(key, { html, id: html.includes(id) ? id : null })
  return html
}
