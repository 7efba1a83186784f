import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HttpAnswer, ProgressCall } from '../../src/client/core/http/send-with-progress.ts'
import { type UploadPlatform, uploadResumable } from '../../src/client/model/media/upload/resumable-upload.ts'
import type { TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import { type HttpRegion, startHttpRegion } from '../drivers/http-region.ts'

const KIB = 1024
/** What the server has read and not stored when it is asked. */
const MAX_IN_FLIGHT_BYTES = 256 * KIB

let here: HttpRegion
let elsewhere: HttpRegion
let ada: TestUser

beforeAll(async () => {
  here = await startHttpRegion()
  elsewhere = await startHttpRegion()
  ada = await here.region.createMember('ada')
})
afterAll(() => Promise.all([here.close(), elsewhere.close()]))

/** The browser's uploader on real connections, which break after `cutAfter` bytes of a body. */
class Browser implements UploadPlatform {
  /** Bytes of bodies that were written to a connection. */
  sentBytes = 0
  created = 0
  private readonly cuts: number[]
  private readonly user: TestUser
  origin: string

  constructor(user: TestUser, origin: string, cuts: number[] = []) {
    this.user = user
    this.origin = origin
    this.cuts = cuts
  }

  isOnline = () => true
  wait = async () => {}
  discard = () => {}

  send = async (path: string, { method, headers, body, onProgress }: ProgressCall): Promise<HttpAnswer | null> => {
    if (method === 'POST') this.created++
    const bytes = body ? Buffer.from(await (body as Blob).arrayBuffer()) : Buffer.alloc(0)
    const cutAt = method === 'PATCH' ? this.cuts.shift() : undefined
    const authorization = `Bearer ${this.user.token}`
    const length = { 'content-length': bytes.length }
    return new Promise((resolve) => {
      const call = request(this.origin + path, {
        method,
        agent: false,
        headers: { ...headers, authorization, ...length },
      })
      call.on('error', () => resolve(null))
      call.on('close', () => resolve(null))
      call.on('response', async (response) => {
        const parts = await response.toArray()
        const { statusCode: status = 0 } = response
        const header = (name: string) => response.headers[name.toLowerCase()]?.toString() ?? null
        resolve({ status, text: Buffer.concat(parts).toString(), header })
      })
      const sent = bytes.subarray(0, cutAt)
      this.sentBytes += sent.length
      onProgress?.(sent.length)
      if (cutAt === undefined) call.end(sent)
      else call.write(sent, () => void this.waitUntilStored(path, headers, sent.length).then(() => call.destroy()))
    })
  }

  /** Otherwise the cut would lose what is in the buffers of this machine, which are larger than those of a network. */
  private waitUntilStored(path: string, headers: Record<string, string> = {}, bytes: number): Promise<void> {
    const { uploads } = here.region.appContext
    const uploadId = path.split('/').at(-1) ?? ''
    const expected = Number(headers['Upload-Offset']) + bytes - MAX_IN_FLIGHT_BYTES
    const offset = () => uploads.find(uploadId, this.user.userId)?.offset
    return expect.poll(offset).toBeGreaterThanOrEqual(expected)
  }
}

const upload = (browser: Browser, file: Blob, uploadId: string | null = null) =>
  uploadResumable(file, { signal: new AbortController().signal, onProgress: () => {}, uploadId }, browser)

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The bytes of a finished upload, as a feature reads them. */
async function hashOf({ region }: HttpRegion, user: TestUser, outcome: unknown): Promise<string> {
  const { uploadId } = outcome as { uploadId: string } // `use` refuses anything else
  const read = await region.appContext.uploads.use(uploadId, user.userId, async ({ path }) => ({
    hash: sha256(await readFile(path)),
  }))
  return 'hash' in read ? read.hash : JSON.stringify(read)
}

describe("the browser's upload to a region", () => {
  it.each([0, 1, 2, 3, 4])(
    '[MEDIA-40] [MEDIA-52] of 20 MB, cut at quarter %i, sends only what lacks',
    async (quarter) => {
      const bytes = randomBytes(20 * KIB * KIB)
      // The connection of each part of 8 MiB is cut where the quarter is.
      const cutAt = (bytes.length / 4) * quarter
      const [whole, rest] = [Math.floor(cutAt / (8 * KIB * KIB)), cutAt % (8 * KIB * KIB)]
      const browser = new Browser(ada, here.origin, [...Array(whole), rest])
      const outcome = await upload(browser, new Blob([bytes]))
      expect(await hashOf(here, ada, outcome)).toBe(sha256(bytes))
      expect(browser.created).toBe(1)
      expect(browser.sentBytes).toBeGreaterThanOrEqual(bytes.length)
      expect(browser.sentBytes).toBeLessThanOrEqual(bytes.length + MAX_IN_FLIGHT_BYTES)
    },
  )

  it('[MEDIA-54] begins anew in another region', async () => {
    const moved = await elsewhere.region.createMember('ada')
    const bytes = randomBytes(300 * KIB)
    const browser = new Browser(ada, here.origin)
    const began = await upload(browser, new Blob([bytes]))
    const { uploadId } = began as { uploadId: string } // it was not refused
    const other = new Browser(moved, elsewhere.origin)
    const outcome = await upload(other, new Blob([bytes]), uploadId)
    expect(await hashOf(elsewhere, moved, outcome)).toBe(sha256(bytes))
    expect([other.created, other.sentBytes]).toEqual([1, bytes.length])
  })
})
