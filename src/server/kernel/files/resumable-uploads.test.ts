import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UPLOAD_LIFETIME_MS } from '../../../shared/media/resumable-uploads.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { createTemporaryFolder } from '../../testing/fixtures/test-database.ts'
import { ResumableUploads, type Upload } from './resumable-uploads.ts'

const MB = 1024 * 1024
const limits = { userBytes: 5 * MB, addressBytes: 5 * MB, totalBytes: 5 * MB }
const ada = { userId: 1, sessionId: 11, address: '10.0.0.1' }

let temporary: ReturnType<typeof createTemporaryFolder>
let folder: string
let now = 1_700_000_000_000
let uploads: ResumableUploads
beforeEach(async () => {
  temporary = createTemporaryFolder()
  folder = join(temporary.path, 'uploads')
  uploads = await open()
})
afterEach(() => temporary.remove())

const open = () => ResumableUploads.open({ folder, limits, clock: () => now })

async function create(sizeBytes: number): Promise<Upload> {
  const upload = await uploads.create(ada, sizeBytes)
  if (upload instanceof Refusal) throw new Error(upload.body.code)
  return upload
}

async function* stream(text: string) {
  yield Buffer.from(text)
}
const append = (upload: Upload, text: string) =>
  uploads.append(upload, { offset: upload.offset, chunks: stream(text), cut: () => {} })

describe('a restart', () => {
  it('[MEDIA-48] keeps uploads with their owner, and removes all else in the folder', async () => {
    const [kept, expired] = [await create(10), await create(10)]
    await append(kept, 'abc')
    const secret = join(temporary.path, 'secret')
    writeFileSync(secret, 'secret')
    writeFileSync(join(folder, '0'.repeat(32)), 'no owner')
    writeFileSync(join(folder, `${'1'.repeat(32)}.json`), '{}')
    writeFileSync(join(folder, `${'2'.repeat(32)}.json`), 'no JSON')
    writeFileSync(
      join(folder, `${expired.id}.json`),
      JSON.stringify({ ...expired, createdAt: now - UPLOAD_LIFETIME_MS }),
    )
    symlinkSync(secret, join(folder, 'link'))
    mkdirSync(join(folder, 'more'))
    uploads = await open()
    expect(readdirSync(folder).toSorted()).toEqual([kept.id, `${kept.id}.json`])
    expect(statSync(secret).size).toBe(6)
    expect(uploads.find(kept.id, 2)).toBeNull()
    const found = uploads.find(kept.id, ada.userId)
    if (!found) throw new Error('the upload is lost')
    expect(found.offset).toBe(3)
    await append(found, 'defghij')
    const read = await uploads.use(kept.id, ada.userId, async ({ size }) => ({ size }))
    expect(read).toEqual({ size: 10 })
  })

  it('[MEDIA-46] ends uploads whose session has ended meanwhile', async () => {
    await create(10)
    uploads = await open()
    await uploads.sweep(({ sessionId }) => sessionId !== ada.sessionId)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a finished upload', () => {
  it('[MEDIA-50] is read by its user alone, once it is whole, and stays while it is read', async () => {
    const upload = await create(3)
    const sizes = (id: string, userId: number) => uploads.use(id, userId, async ({ size }) => ({ size }))
    const missing = refuse('MediaNotFound', { path: 'uploadId' })
    expect(await sizes(upload.id, ada.userId)).toEqual(missing)
    await append(upload, 'abc')
    expect(await sizes(upload.id, 2)).toEqual(missing)
    expect(await sizes('0'.repeat(32), ada.userId)).toEqual(missing)
    const outcome = await uploads.use(upload.id, ada.userId, async ({ path }) => {
      await uploads.use(upload.id, ada.userId, async () => refuse('Busy'))
      await uploads.sweep(() => false)
      return { size: statSync(path).size }
    })
    expect(outcome).toEqual({ size: 3 })
    expect(readdirSync(folder)).toEqual([])
  })

  it('[MEDIA-50] that its user deletes while it is read stays until then', async () => {
    const upload = await create(3)
    await append(upload, 'abc')
    const outcome = await uploads.use(upload.id, ada.userId, async ({ path }) => {
      await uploads.remove(upload)
      expect(uploads.find(upload.id, ada.userId)).toBeNull()
      return { size: statSync(path).size }
    })
    expect([outcome, readdirSync(folder)]).toEqual([{ size: 3 }, []])
  })

  it('[MEDIA-50] that was stored may be asked for again for ten minutes; one that was refused stays', async () => {
    const [stored, refused] = [await create(3), await create(3)]
    for (const upload of [stored, refused]) await append(upload, 'abc')
    await uploads.use(stored.id, ada.userId, async () => ({}))
    await uploads.use(refused.id, ada.userId, async () => refuse('Busy'))
    now += 9 * 60_000
    expect(await uploads.use(stored.id, ada.userId, async () => ({ again: true }))).toEqual({ again: true })
    now += 2 * 60_000
    await uploads.sweep(() => true)
    expect([stored, refused].map(({ id }) => uploads.find(id, ada.userId) !== null)).toEqual([false, true])
  })

  it('[MEDIA-47] makes room when it was stored', async () => {
    const [stored] = [await create(4 * MB)]
    expect(await uploads.create(ada, 2 * MB)).toEqual(refuse('Busy'))
    stored.offset = stored.sizeBytes
    await uploads.use(stored.id, ada.userId, async () => ({}))
    const next = await create(2 * MB)
    expect(readdirSync(folder).toSorted()).toEqual([next.id, `${next.id}.json`])
  })
})
