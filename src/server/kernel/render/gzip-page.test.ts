import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import { gzipPage } from './gzip-page.ts'
import { joinParts, type PagePart } from './page-parts.ts'

const TOKEN = 'token-that-nobody-else-may-guess'
const KEPT = Buffer.from(`<li class="bubble">Günaydın ${TOKEN.slice(0, 20)}</li>`.repeat(3_000))

it('[ROOM-26] sends kept parts compressed once they are sent again, and the rest as it is', async () => {
  const page: PagePart[] = ['<!doctype html>ş', KEPT, `<script>${TOKEN}</script>`, '', Buffer.from('<p>İ</p>')]

  expect(gunzipSync(gzipPage(page, true))).toEqual(Buffer.from(joinParts(page)))
  await vi.waitFor(() => expect(gzipPage(page, true).length).toBeLessThan(KEPT.length / 20))

  const compressed = Buffer.from(gzipPage(page, true))
  expect(gunzipSync(compressed)).toEqual(Buffer.from(joinParts(page)))
  expect(compressed.includes(`<script>${TOKEN}</script>`)).toBe(true)
})

it('[ROOM-26] has the same length whatever the rest of the page says beside kept parts', async () => {
  const page = (guess: string): PagePart[] => [KEPT, `<script>${guess}</script>`]
  await vi.waitFor(() => expect(gzipPage(page(TOKEN), true).length).toBeLessThan(KEPT.length / 20))

  expect(gzipPage(page(randomBytes(TOKEN.length / 2).toString('hex')), true)).toHaveLength(
    gzipPage(page(TOKEN), true).length,
  )
})

it('sends parts of more than 64 KiB', () => {
  const page = ['x'.repeat(200_000), randomBytes(70_000)]

  expect(gunzipSync(gzipPage(page, true))).toEqual(Buffer.from(joinParts(page)))
})

it('sends a page without content', () => {
  expect(gunzipSync(gzipPage([], true))).toHaveLength(0)
})

it('[ROOM-26] compresses the whole of a page without secrets', () => {
  const page = [`<!doctype html>${'<li>Meydan</li>'.repeat(500)}`, KEPT, '<p>ş</p>', '']
  const sent = gzipPage(page, false)

  expect(gunzipSync(sent)).toEqual(Buffer.from(joinParts(page)))
  expect(sent.length).toBeLessThan(gzipPage(page, true).length - 7_000)
})
