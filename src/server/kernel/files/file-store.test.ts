import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import {
  blobPathOf,
  createDeferred,
  type FileCluster,
  type FileRegion,
  listFiles,
  openFileCluster,
  sha256,
} from '../../testing/fixtures/file-cluster.ts'

const content = randomBytes(300_000)
const file = { hash: sha256(content), size: content.length }
const blobPath = blobPathOf(file.hash)
const PATH = `/link/files/${file.hash}`

let site: FileCluster
beforeEach(async () => {
  site = await openFileCluster()
})
afterEach(async () => {
  vi.useRealTimers()
  await site.close()
})

const codeOf = (outcome: unknown) => (outcome instanceof Refusal ? outcome.body.code : outcome)
const at = ({ origin }: { origin: string }) => ({ is: 'other', url: origin }) as const
async function* stream(...chunks: Uint8Array[]) {
  yield* chunks
}
/** A primary that has the file. */
async function primaryWithFile(): Promise<FileRegion> {
  const primary = await site.openRegion()
  await primary.store.put(content)
  return primary
}

describe('FileStore.put', { timeout: 30_000 }, () => {
  it('[FILE-07] stores a file and its row once on a single node, and sends no request', async () => {
    const region = await site.openRegion()
    expect(await region.store.put(content)).toEqual(file)
    expect(await region.store.put(stream(content.subarray(0, 7), content.subarray(7)))).toEqual(file)
    expect(listFiles(region.folder)).toEqual([blobPath])
    expect(site.listFileRows()).toEqual([file])
    expect(await region.store.has(file.hash)).toBe(true)
    const events = site.database.db.prepare('select count(*) from event').pluck().get()
    expect(events).toBe(0)
  })

  it('[FILE-07] resolves when the primary has the file and its row is committed', async () => {
    const primary = await site.openRegion()
    const replica = await site.openRegion({ leader: at(primary) })
    expect(await replica.store.put(content)).toEqual(file)
    expect(readFileSync(`${primary.folder}/${blobPath}`).equals(content)).toBe(true)
    expect(primary.requests).toEqual([`PUT ${PATH}`])
    expect(site.listFileRows()).toEqual([file])
    expect(listFiles(replica.folder)).toEqual([blobPath])
  })

  it('[FILE-07] stores one file for 50 concurrent puts in each of two regions', async () => {
    const primary = await site.openRegion()
    const replicas = [await site.openRegion({ leader: at(primary) }), await site.openRegion({ leader: at(primary) })]
    const small = Buffer.from('the same in both')
    const puts = replicas.flatMap(({ store }) => Array.from({ length: 50 }, () => store.put(small)))
    const kept = { hash: sha256(small), size: small.length }
    expect(await Promise.all(puts)).toEqual(Array(100).fill(kept))
    expect(site.listFileRows()).toEqual([kept])
    for (const { folder } of [primary, ...replicas]) expect(listFiles(folder)).toEqual([blobPathOf(kept.hash)])
  })

  it('[FILE-04] returns the refusals of the local store, and pushes nothing to the primary', async () => {
    const primary = await site.openRegion()
    const replica = await site.openRegion({ leader: at(primary), maxBytes: 1000 })
    expect(codeOf(await replica.store.put(Buffer.alloc(1001)))).toBe('TooLarge')
    expect(codeOf(await replica.store.put(Buffer.alloc(0)))).toBe('InvalidInput')
    expect([primary.requests, site.listFileRows(), listFiles(replica.folder)]).toEqual([[], [], []])
  })

  it('[FILE-05] is refused with Busy when the primary has no space', async () => {
    const full = await site.startServer((request, response) => {
      request.resume().on('end', () => response.writeHead(503).end())
    })
    const replica = await site.openRegion({ leader: { is: 'other', url: full } })
    expect(codeOf(await replica.store.put(content))).toBe('Busy')
    expect(site.listFileRows()).toEqual([])
  })

  it.each(['nobody is the primary', 'the primary cannot be reached', 'the primary fails'])(
    '[FILE-08] is refused with RegionCut when %s',
    async (why) => {
      const unreachable = await site.openRegion()
      await unreachable.closeServer()
      const failing = await site.startServer((request, response) => {
        request.resume().on('end', () => response.writeHead(500).end())
      })
      const replica = await site.openRegion({
        leader: why.startsWith('nobody')
          ? { is: 'nobody' }
          : { is: 'other', url: why.endsWith('fails') ? failing : unreachable.origin },
      })
      const startedAt = performance.now()
      expect(codeOf(await replica.store.put(content))).toBe('RegionCut')
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2_000)
      expect(site.listFileRows()).toEqual([])
      // The same put succeeds once there is a primary.
      replica.leader = at(await site.openRegion())
      expect(await replica.store.put(content)).toEqual(file)
    },
  )

  it('[FILE-08] waits up to 2 s for a new primary', async () => {
    vi.useFakeTimers({ toFake: ['performance'] }) // on a slow machine the 2 s must not pass
    const primary = await site.openRegion()
    const requested = createDeferred()
    const failing = await site.startServer((request, response) => {
      request.resume().on('end', () => response.writeHead(500).end())
      requested.give()
    })
    const replica = await site.openRegion({ leader: { is: 'other', url: failing } })
    const put = replica.store.put(content)
    await requested.given
    replica.leader = at(primary)
    expect(await put).toEqual(file)
    expect(listFiles(primary.folder)).toEqual([blobPath])
  })

  it('[FILE-09] pushes to the new primary after a change, and the former one stores nothing', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const next = await site.openRegion()
    const former = await site.openRegion({ leader: at(next) })
    const replica = await site.openRegion({ leader: at(former) })
    const put = replica.store.put(content)
    await vi.waitFor(() => expect(former.requests).not.toEqual([]), { timeout: 20_000 })
    replica.leader = at(next)
    expect(await put).toEqual(file)
    expect(listFiles(next.folder)).toEqual([blobPath])
    expect(listFiles(former.folder)).toEqual([])
  })

  it('[FILE-09] resolves when this region becomes the primary during the push', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const former = await site.openRegion({ leader: { is: 'nobody' } })
    const replica = await site.openRegion({ leader: at(former) })
    const put = replica.store.put(content)
    await vi.waitFor(() => expect(former.requests).not.toEqual([]), { timeout: 20_000 })
    replica.leader = { is: 'self' }
    expect(await put).toEqual(file)
    expect(site.listFileRows()).toEqual([file])
  })
})

describe('FileStore.get', { timeout: 30_000 }, () => {
  it('[FILE-10] pulls a file from the primary once, and stores it', async () => {
    const primary = await primaryWithFile()
    const replica = await site.openRegion({ leader: at(primary), isCandidate: false })
    expect(await replica.store.has(file.hash)).toBe(false)
    const found = await replica.store.get(file.hash)
    expect(found).toEqual({ path: `${replica.folder}/${blobPath}`, size: file.size })
    expect(readFileSync(found?.path ?? '').equals(content)).toBe(true)
    expect(await replica.store.get(file.hash)).toEqual(found)
    expect(primary.requests).toEqual([`GET ${PATH}`])
    expect(listFiles(replica.folder)).toEqual([blobPath])
  })

  it('[FILE-10] shares one pull among concurrent calls', async () => {
    const primary = await primaryWithFile()
    const replica = await site.openRegion({ leader: at(primary) })
    const found = await Promise.all(Array.from({ length: 50 }, () => replica.store.get(file.hash)))
    expect(found).toEqual(Array(50).fill({ path: `${replica.folder}/${blobPath}`, size: file.size }))
    expect(primary.requests).toEqual([`GET ${PATH}`])
  })

  it('[FILE-10] requests the primary first and then the others, and no region forwards the request', async () => {
    const holder = await primaryWithFile()
    const primary = await site.openRegion()
    const empty = await site.openRegion({ leader: at(primary) })
    const replica = await site.openRegion({ leader: at(primary) })
    primary.others = [holder.origin]
    empty.others = [holder.origin]
    replica.others = [primary.origin, empty.origin, holder.origin]
    expect(await replica.store.get(file.hash)).toMatchObject({ size: file.size })
    for (const requested of [primary.requests, empty.requests, holder.requests])
      expect(requested).toEqual([`GET ${PATH}`])
    expect([listFiles(primary.folder), listFiles(empty.folder)]).toEqual([[], []])
  })

  it('[FILE-10] pulls a file that the primary lacks from the others', async () => {
    const holder = await primaryWithFile()
    const primary = await site.openRegion()
    primary.others = [holder.origin]
    expect(await primary.store.get(file.hash)).toMatchObject({ size: file.size })
  })

  it('[FILE-12] sends no request for a hash without a row', async () => {
    const primary = await site.openRegion()
    const replica = await site.openRegion({ leader: at(primary) })
    replica.others = [primary.origin]
    expect(await replica.store.get(file.hash)).toBeNull()
    for (const name of ['', '../../secret', file.hash.toUpperCase()]) expect(await replica.store.get(name)).toBeNull()
    expect(primary.requests).toEqual([])
  })

  const other = randomBytes(content.length)
  const wrongResponses: [string, RequestListener][] = [
    ['other bytes', (_, response) => response.writeHead(200, { 'content-length': other.length }).end(other)],
    ['more bytes', (_, response) => response.writeHead(200, { 'content-length': file.size + 1 }).end(`${content}x`)],
    ['no length', (_, response) => response.writeHead(200).end(content)],
    ['a body that is cut off', (_, response) => cutAfter(response.writeHead(200, { 'content-length': file.size }))],
    ['an empty answer', (_, response) => response.writeHead(200, { 'content-length': 0 }).end()],
    ['an error', (_, response) => response.writeHead(500, { 'content-length': file.size }).end(content)],
    ['nothing at all', (request) => request.socket.destroy()],
    ['another protocol', (request) => request.socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
  ]
  it.each(wrongResponses)('[FILE-11] drops a region that sends %s, and requests the next', async (_, answer) => {
    const holder = await primaryWithFile()
    const wrongServer = await site.startServer(answer)
    const replica = await site.openRegion({ leader: { is: 'other', url: wrongServer } })
    expect(await replica.store.get(file.hash)).toBeNull()
    expect(listFiles(replica.folder)).toEqual([])
    replica.others = [holder.origin]
    expect(await replica.store.get(file.hash)).toMatchObject({ size: file.size })
    expect(readFileSync(`${replica.folder}/${blobPath}`).equals(content)).toBe(true)
    expect(listFiles(replica.folder)).toEqual([blobPath])
  })

  it('[FILE-11] does not follow a redirect of a region', async () => {
    const holder = await primaryWithFile()
    const redirecting = await site.startServer((_, response) =>
      response.writeHead(302, { location: `${holder.origin}${PATH}` }).end(),
    )
    const replica = await site.openRegion({ leader: { is: 'other', url: redirecting } })
    expect(await replica.store.get(file.hash)).toBeNull()
    expect(holder.requests).toEqual([])
  })

  it.each(['before the first byte', 'halfway'])(
    '[FILE-11] aborts a pull that stalls for 10 s %s, requests the next region, and serves nothing meanwhile',
    async (when) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const holder = await primaryWithFile()
      const stalled = createDeferred()
      const left = createDeferred()
      const stalling = await site.startServer((_, response) => {
        response.on('close', left.give)
        if (when === 'halfway') {
          response
            .writeHead(200, { 'content-length': file.size })
            .write(content.subarray(0, 1000), () => stalled.give())
        } else stalled.give()
      })
      const replica = await site.openRegion({ leader: { is: 'other', url: stalling } })
      replica.others = [holder.origin]
      const [one, two] = [replica.store.get(file.hash), replica.store.get(file.hash)]
      await stalled.given
      // The stall begins once the first bytes are in the temporary file.
      while (when === 'halfway' && listFiles(replica.folder).length === 0) await new Promise(setImmediate)
      expect(await replica.store.has(file.hash)).toBe(false)
      expect(await replica.store.find(file.hash)).toBeNull()
      // The fake clock advances only until the next region gets a request.
      let isSettled = false
      const results = Promise.all([one, two]).finally(() => (isSettled = true))
      for (let waited = 0; holder.requests.length === 0 && waited < 60_000; waited += 1000) {
        await vi.advanceTimersByTimeAsync(1000)
        await new Promise(setImmediate)
      }
      expect(await results).toEqual(Array(2).fill({ path: `${replica.folder}/${blobPath}`, size: file.size }))
      await left.given
      expect(isSettled).toBe(true)
      expect(listFiles(replica.folder)).toEqual([blobPath])
    },
  )

  it('[FILE-11] aborts pulls on close, and leaves no file', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }) // no pull reaches its stall timeout
    const stalled = createDeferred()
    const stalling = await site.startServer((_, response) =>
      response.writeHead(200, { 'content-length': file.size }).write(content.subarray(0, 1000), () => stalled.give()),
    )
    await site.registerFile(file)
    const replica = await site.openRegion({ leader: { is: 'other', url: stalling } })
    const requested = replica.store.get(file.hash)
    await stalled.given
    await replica.store.close()
    expect(await requested).toBeNull()
    expect(listFiles(replica.folder)).toEqual([])
  })
})

/** Sends half of the content and destroys the connection. */
function cutAfter(response: Parameters<RequestListener>[1]) {
  response.write(content.subarray(0, content.length / 2), () => response.destroy())
}
