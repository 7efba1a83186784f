import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '../../shared/protocol/refusals.ts'
import {
  blobPathOf,
  createDeferred,
  type FileCluster,
  type FileRegion,
  listFiles,
  openFileCluster,
  sha256,
} from '../testing/fixtures/file-cluster.ts'

const content = randomBytes(300_000)
const file = { hash: sha256(content), size: content.length }
const place = blobPathOf(file.hash)
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
/** A region that holds the file, as the primary. */
async function primaryWithFile(): Promise<FileRegion> {
  const primary = await site.openRegion()
  await primary.store.put(content)
  return primary
}

describe('putting a file', { timeout: 30_000 }, () => {
  it('[FILE-07] keeps it and writes its row, once, and asks nobody where the site is in one place', async () => {
    const region = await site.openRegion()
    expect(await region.store.put(content)).toEqual(file)
    expect(await region.store.put(stream(content.subarray(0, 7), content.subarray(7)))).toEqual(file)
    expect(listFiles(region.folder)).toEqual([place])
    expect(site.listFileRows()).toEqual([file])
    expect(await region.store.has(file.hash)).toBe(true)
    const events = site.database.db.prepare('select count(*) from event').pluck().get()
    expect(events).toBe(0)
  })

  it('[FILE-07] is answered when the primary has it and its row is written', async () => {
    const primary = await site.openRegion()
    const replica = await site.openRegion({ leader: at(primary) })
    expect(await replica.store.put(content)).toEqual(file)
    expect(readFileSync(`${primary.folder}/${place}`).equals(content)).toBe(true)
    expect(primary.requests).toEqual([`PUT ${PATH}`])
    expect(site.listFileRows()).toEqual([file])
    expect(listFiles(replica.folder)).toEqual([place])
  })

  it('[FILE-07] takes the same from two regions at once, and from each fifty times', async () => {
    const primary = await site.openRegion()
    const replicas = [await site.openRegion({ leader: at(primary) }), await site.openRegion({ leader: at(primary) })]
    const small = Buffer.from('the same in both')
    const puts = replicas.flatMap(({ store }) => Array.from({ length: 50 }, () => store.put(small)))
    const kept = { hash: sha256(small), size: small.length }
    expect(await Promise.all(puts)).toEqual(Array(100).fill(kept))
    expect(site.listFileRows()).toEqual([kept])
    for (const { folder } of [primary, ...replicas]) expect(listFiles(folder)).toEqual([blobPathOf(kept.hash)])
  })

  it('[FILE-04] passes on what the folder refuses, and brings nothing to the primary', async () => {
    const primary = await site.openRegion()
    const replica = await site.openRegion({ leader: at(primary), maxBytes: 1000 })
    expect(codeOf(await replica.store.put(Buffer.alloc(1001)))).toBe('TooLarge')
    expect(codeOf(await replica.store.put(Buffer.alloc(0)))).toBe('InvalidInput')
    expect([primary.requests, site.listFileRows(), listFiles(replica.folder)]).toEqual([[], [], []])
  })

  it('[FILE-05] is refused with Busy when the primary has no room', async () => {
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
      const gone = await site.openRegion()
      await gone.closeServer()
      const failing = await site.startServer((request, response) => {
        request.resume().on('end', () => response.writeHead(500).end())
      })
      const replica = await site.openRegion({
        leader: why.startsWith('nobody')
          ? { is: 'nobody' }
          : { is: 'other', url: why.endsWith('fails') ? failing : gone.origin },
      })
      const began = performance.now()
      expect(codeOf(await replica.store.put(content))).toBe('RegionCut')
      expect(performance.now() - began).toBeGreaterThanOrEqual(2_000)
      expect(site.listFileRows()).toEqual([])
      // The same again, once there is a primary.
      replica.leader = at(await site.openRegion())
      expect(await replica.store.put(content)).toEqual(file)
    },
  )

  it('[FILE-08] waits for a primary that comes meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['performance'] }) // no time passes, however slow this machine is
    const primary = await site.openRegion()
    const asked = createDeferred()
    const failing = await site.startServer((request, response) => {
      request.resume().on('end', () => response.writeHead(500).end())
      asked.give()
    })
    const replica = await site.openRegion({ leader: { is: 'other', url: failing } })
    const put = replica.store.put(content)
    await asked.given
    replica.leader = at(primary)
    expect(await put).toEqual(file)
    expect(listFiles(primary.folder)).toEqual([place])
  })

  it('[FILE-09] turns from a former primary to the new one, and the former keeps nothing', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const next = await site.openRegion()
    const former = await site.openRegion({ leader: at(next) })
    const replica = await site.openRegion({ leader: at(former) })
    const put = replica.store.put(content)
    await vi.waitFor(() => expect(former.requests).not.toEqual([]), { timeout: 20_000 })
    replica.leader = at(next)
    expect(await put).toEqual(file)
    expect(listFiles(next.folder)).toEqual([place])
    expect(listFiles(former.folder)).toEqual([])
  })

  it('[FILE-09] becomes the primary’s own where this region is made the primary meanwhile', async () => {
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

describe('getting a file', { timeout: 30_000 }, () => {
  it('[FILE-10] pulls it through from the primary, once, and keeps it', async () => {
    const primary = await primaryWithFile()
    const replica = await site.openRegion({ leader: at(primary), isCandidate: false })
    expect(await replica.store.has(file.hash)).toBe(false)
    const found = await replica.store.get(file.hash)
    expect(found).toEqual({ path: `${replica.folder}/${place}`, size: file.size })
    expect(readFileSync(found?.path ?? '').equals(content)).toBe(true)
    expect(await replica.store.get(file.hash)).toEqual(found)
    expect(primary.requests).toEqual([`GET ${PATH}`])
    expect(listFiles(replica.folder)).toEqual([place])
  })

  it('[FILE-10] shares one pull among all who ask at once', async () => {
    const primary = await primaryWithFile()
    const replica = await site.openRegion({ leader: at(primary) })
    const found = await Promise.all(Array.from({ length: 50 }, () => replica.store.get(file.hash)))
    expect(found).toEqual(Array(50).fill({ path: `${replica.folder}/${place}`, size: file.size }))
    expect(primary.requests).toEqual([`GET ${PATH}`])
  })

  it('[FILE-10] asks the primary first and then the others, and no region asks on', async () => {
    const holder = await primaryWithFile()
    const primary = await site.openRegion()
    const empty = await site.openRegion({ leader: at(primary) })
    const replica = await site.openRegion({ leader: at(primary) })
    primary.others = [holder.origin]
    empty.others = [holder.origin]
    replica.others = [primary.origin, empty.origin, holder.origin]
    expect(await replica.store.get(file.hash)).toMatchObject({ size: file.size })
    for (const asked of [primary.requests, empty.requests, holder.requests]) expect(asked).toEqual([`GET ${PATH}`])
    expect([listFiles(primary.folder), listFiles(empty.folder)]).toEqual([[], []])
  })

  it('[FILE-10] lets the primary itself pull what it lacks from the others', async () => {
    const holder = await primaryWithFile()
    const primary = await site.openRegion()
    primary.others = [holder.origin]
    expect(await primary.store.get(file.hash)).toMatchObject({ size: file.size })
  })

  it('[FILE-12] asks nobody for a hash that has no row', async () => {
    const primary = await site.openRegion()
    const replica = await site.openRegion({ leader: at(primary) })
    replica.others = [primary.origin]
    expect(await replica.store.get(file.hash)).toBeNull()
    for (const name of ['', '../../secret', file.hash.toUpperCase()]) expect(await replica.store.get(name)).toBeNull()
    expect(primary.requests).toEqual([])
  })

  const other = randomBytes(content.length)
  const lies: [string, RequestListener][] = [
    ['other bytes', (_, response) => response.writeHead(200, { 'content-length': other.length }).end(other)],
    ['more bytes', (_, response) => response.writeHead(200, { 'content-length': file.size + 1 }).end(`${content}x`)],
    ['no length', (_, response) => response.writeHead(200).end(content)],
    ['a line that breaks', (_, response) => cutAfter(response.writeHead(200, { 'content-length': file.size }))],
    ['an empty answer', (_, response) => response.writeHead(200, { 'content-length': 0 }).end()],
    ['an error', (_, response) => response.writeHead(500, { 'content-length': file.size }).end(content)],
    ['nothing at all', (request) => request.socket.destroy()],
    ['another protocol', (request) => request.socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
  ]
  it.each(lies)('[FILE-11] drops a source that gives %s, and asks the next', async (_, answer) => {
    const holder = await primaryWithFile()
    const liar = await site.startServer(answer)
    const replica = await site.openRegion({ leader: { is: 'other', url: liar } })
    expect(await replica.store.get(file.hash)).toBeNull()
    expect(listFiles(replica.folder)).toEqual([])
    replica.others = [holder.origin]
    expect(await replica.store.get(file.hash)).toMatchObject({ size: file.size })
    expect(readFileSync(`${replica.folder}/${place}`).equals(content)).toBe(true)
    expect(listFiles(replica.folder)).toEqual([place])
  })

  it('[FILE-11] follows no source elsewhere', async () => {
    const holder = await primaryWithFile()
    const leading = await site.startServer((_, response) =>
      response.writeHead(302, { location: `${holder.origin}${PATH}` }).end(),
    )
    const replica = await site.openRegion({ leader: { is: 'other', url: leading } })
    expect(await replica.store.get(file.hash)).toBeNull()
    expect(holder.requests).toEqual([])
  })

  it.each(['before the first byte', 'halfway'])(
    '[FILE-11] gives a source up that is silent for 10 s %s, asks the next, and serves nothing meanwhile',
    async (when) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const holder = await primaryWithFile()
      const silent = createDeferred()
      const left = createDeferred()
      const mute = await site.startServer((_, response) => {
        response.on('close', left.give)
        if (when === 'halfway') {
          response.writeHead(200, { 'content-length': file.size }).write(content.subarray(0, 1000), () => silent.give())
        } else silent.give()
      })
      const replica = await site.openRegion({ leader: { is: 'other', url: mute } })
      replica.others = [holder.origin]
      const [one, two] = [replica.store.get(file.hash), replica.store.get(file.hash)]
      await silent.given
      // What came so far has been taken when its draft is there: only then the silence begins.
      while (when === 'halfway' && listFiles(replica.folder).length === 0) await new Promise(setImmediate)
      expect(await replica.store.has(file.hash)).toBe(false)
      expect(await replica.store.find(file.hash)).toBeNull()
      // Time stands still for whoever answers; it passes for the mute one.
      let isOver = false
      const over = Promise.all([one, two]).finally(() => (isOver = true))
      for (let waited = 0; holder.requests.length === 0 && waited < 60_000; waited += 1000) {
        await vi.advanceTimersByTimeAsync(1000)
        await new Promise(setImmediate)
      }
      expect(await over).toEqual(Array(2).fill({ path: `${replica.folder}/${place}`, size: file.size }))
      await left.given
      expect(isOver).toBe(true)
      expect(listFiles(replica.folder)).toEqual([place])
    },
  )

  it('[FILE-11] ends what is under way when the process ends, and leaves nothing behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }) // nobody is given up for being silent
    const silent = createDeferred()
    const mute = await site.startServer((_, response) =>
      response.writeHead(200, { 'content-length': file.size }).write(content.subarray(0, 1000), () => silent.give()),
    )
    await site.registerFile(file)
    const replica = await site.openRegion({ leader: { is: 'other', url: mute } })
    const asked = replica.store.get(file.hash)
    await silent.given
    await replica.store.close()
    expect(await asked).toBeNull()
    expect(listFiles(replica.folder)).toEqual([])
  })
})

/** Sends half of the content and breaks the line. */
function cutAfter(response: Parameters<RequestListener>[1]) {
  response.write(content.subarray(0, content.length / 2), () => response.destroy())
}
