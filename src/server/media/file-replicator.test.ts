import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  blobPathOf,
  createDeferred,
  type FileCluster,
  listFiles,
  openFileCluster,
  sha256,
} from '../testing/fixtures/file-cluster.ts'
import { FileReplicator } from './file-replicator.ts'
import { fileRows } from './queries.ts'

let site: FileCluster
beforeEach(async () => {
  site = await openFileCluster()
})
afterEach(() => site.close())

const at = ({ origin }: { origin: string }) => ({ is: 'other', url: origin }) as const
const contents = Array.from({ length: 30 }, (_, index) => Buffer.from(`file ${index}`))
const fileOf = (content: Uint8Array) => ({ hash: sha256(content), size: content.length })
const placesOf = (all: Uint8Array[]) => all.map((content) => blobPathOf(sha256(content))).sort()

describe('filling a region', { timeout: 30_000 }, () => {
  it('[FILE-13] brings every file to a candidate, oldest first, and asks for none twice', async () => {
    const primary = await site.openRegion()
    for (const content of contents) await primary.store.put(content)
    const candidate = await site.openRegion({ leader: at(primary) })
    expect(await candidate.store.replicateAll()).toBe(true)
    expect(listFiles(candidate.folder)).toEqual(placesOf(contents))
    const oldestFirst = contents.slice(0, 8).map((content) => `GET /link/files/${sha256(content)}`)
    expect(primary.requests.slice(0, 8).sort()).toEqual(oldestFirst.sort())
    await candidate.store.replicateAll()
    await candidate.store.replicateNew()
    expect(primary.requests).toHaveLength(contents.length)
  })

  it('[FILE-13] goes on with what is new, whoever brought it', async () => {
    const primary = await site.openRegion()
    const candidate = await site.openRegion({ leader: at(primary) })
    const bringer = await site.openRegion({ leader: at(primary), isCandidate: false })
    for (const content of contents.slice(0, 3)) {
      await bringer.store.put(content)
      expect(await candidate.store.replicateNew()).toBe(true)
      expect(await candidate.store.has(sha256(content))).toBe(true)
    }
  })

  it('[FILE-13] leaves a region alone that may not become the primary', async () => {
    const primary = await site.openRegion()
    await primary.store.put(contents[0] ?? Buffer.alloc(1))
    const reader = await site.openRegion({ leader: at(primary), isCandidate: false })
    expect(await reader.store.replicateAll()).toBe(false)
    expect([listFiles(reader.folder), primary.requests]).toEqual([[], []])
  })

  it('[FILE-13] tries again what could not be had: no region was there, and then one', async () => {
    const primary = await site.openRegion()
    for (const content of contents) await primary.store.put(content)
    const candidate = await site.openRegion({ leader: { is: 'nobody' } })
    expect(await candidate.store.replicateAll()).toBe(false)
    expect(listFiles(candidate.folder)).toEqual([])
    candidate.others = [primary.origin]
    expect(await candidate.store.replicateAll()).toBe(true)
    expect(listFiles(candidate.folder)).toEqual(placesOf(contents))
  })

  it('[FILE-13] passes over what nobody has, and tries it again at the next fill, not for every transaction', async () => {
    const primary = await site.openRegion()
    const [lost = Buffer.alloc(1), ...others] = contents
    await site.registerFile(fileOf(lost))
    for (const content of others) await primary.store.put(content)
    const candidate = await site.openRegion({ leader: at(primary) })
    const asked = () => primary.requests.filter((line) => line.endsWith(sha256(lost))).length
    expect(await candidate.store.replicateAll()).toBe(false)
    expect(listFiles(candidate.folder)).toEqual(placesOf(others))
    expect(await candidate.store.replicateNew()).toBe(false)
    expect(asked()).toBe(1)
    expect(await candidate.store.replicateAll()).toBe(false)
    expect(asked()).toBe(2)
    // A region that had been away brings it back.
    const away = await site.openRegion()
    await away.store.put(lost)
    candidate.others = [away.origin]
    expect(await candidate.store.replicateAll()).toBe(true)
    expect(await candidate.store.has(sha256(lost))).toBe(true)
  })

  it('[FILE-13] goes on past a file that a region has and cannot give', async () => {
    const [damaged = Buffer.alloc(1), ...others] = contents
    for (const content of contents) await site.registerFile(fileOf(content))
    const breaking = await site.startServer((request, response) => {
      const content = contents.find((one) => request.url?.endsWith(sha256(one))) ?? damaged
      response.writeHead(200, { 'content-length': content.length })
      if (content === damaged) response.write(content.subarray(0, 2), () => response.destroy())
      else response.end(content)
    })
    const candidate = await site.openRegion({ leader: { is: 'other', url: breaking } })
    expect(await candidate.store.replicateAll()).toBe(false)
    expect(listFiles(candidate.folder)).toEqual(placesOf(others))
  })

  it.each([429, 503])(
    '[FILE-13] stops at a region that answers %i, and goes on from there the next time',
    async (status) => {
      for (const content of contents) await site.registerFile(fileOf(content))
      let asked = 0
      let isBusy = true
      const busy = await site.startServer((request, response) => {
        asked++
        const content = contents.find((one) => request.url?.endsWith(sha256(one))) ?? Buffer.alloc(0)
        if (isBusy) response.writeHead(status).end()
        else response.writeHead(200, { 'content-length': content.length }).end(content)
      })
      const candidate = await site.openRegion({ leader: { is: 'other', url: busy } })
      expect(await candidate.store.replicateAll()).toBe(false)
      expect(asked).toBeLessThan(contents.length)
      isBusy = false
      expect(await candidate.store.replicateNew()).toBe(true)
      expect(listFiles(candidate.folder)).toEqual(placesOf(contents))
    },
  )

  it('[FILE-13] fills a primary that took over without having everything', async () => {
    const former = await site.openRegion()
    const next = await site.openRegion({ leader: at(former) })
    for (const content of contents) await former.store.put(content)
    next.leader = { is: 'self' }
    next.others = [former.origin]
    expect(await next.store.replicateNew()).toBe(true)
    expect(listFiles(next.folder)).toEqual(placesOf(contents))
  })

  it.each(['the leader changed', 'the last row changed'])(
    '[FILE-13] goes through all rows anew when a lost history gave their ids to others: %s',
    async (sign) => {
      const primary = await site.openRegion()
      const [one = Buffer.alloc(1), two = Buffer.alloc(1), three = Buffer.alloc(1), four = Buffer.alloc(1)] = contents
      await primary.store.put(one)
      await primary.store.put(two)
      const candidate = await site.openRegion({ leader: at(primary) })
      await candidate.store.replicateAll()
      // The rows were lost with a primary, and the next one counted up to the same ids.
      const { db } = site.database
      if (sign.startsWith('the leader')) {
        db.prepare('delete from file where hash = ?').run(sha256(one))
        await primary.store.put(three)
        db.prepare('update file set id = 1 where hash = ?').run(sha256(three))
        const next = await site.openRegion()
        next.others = [primary.origin]
        await next.store.replicateAll()
        candidate.leader = at(next)
      } else {
        db.prepare('delete from file').run()
        await primary.store.put(three)
        await primary.store.put(four)
      }
      expect(await candidate.store.replicateNew()).toBe(true)
      expect(await candidate.store.has(sha256(three))).toBe(true)
    },
  )

  it('[FILE-13] is done once for all who ask at once', async () => {
    const primary = await site.openRegion()
    const candidate = await site.openRegion({ leader: at(primary) })
    for (const content of contents) await primary.store.put(content)
    const asked = Array.from({ length: 20 }, () => [candidate.store.replicateAll(), candidate.store.replicateNew()])
    expect(await Promise.all(asked.flat())).toEqual(Array(40).fill(true))
    expect(primary.requests).toHaveLength(contents.length)
  })

  it('[FILE-13] goes through the rows once for all who ask meanwhile, and on to what came meanwhile', async () => {
    for (const content of contents) await site.registerFile(fileOf(content))
    const fetched: number[] = []
    const goOn = createDeferred()
    const filler = new FileReplicator({
      rows: fileRows(site.database.read),
      leader: () => ({ is: 'self' }),
      ensureLocal: async ({ id }) => {
        fetched.push(id)
        await goOn.given
        return 'present'
      },
    })
    const asked = Array.from({ length: 20 }, () => filler.replicate(true))
    await site.registerFile(fileOf(Buffer.from('late')))
    asked.push(filler.replicate(false))
    goOn.give()
    expect(await Promise.all(asked)).toEqual(Array(21).fill(true))
    expect(fetched).toEqual(Array.from({ length: contents.length + 1 }, (_, index) => index + 1))
  })

  it('[FILE-13] says what went wrong and tries again, where the disk or the database fails', async () => {
    const primary = await site.openRegion()
    const candidate = await site.openRegion({ leader: at(primary) })
    for (const content of contents) await primary.store.put(content)
    const after = vi.spyOn(site.database.read, 'all').mockImplementation(() => {
      throw new Error('disk I/O error')
    })
    expect(await candidate.store.replicateAll()).toBe(false)
    after.mockRestore()
    expect(await candidate.store.replicateAll()).toBe(true)
  })

  it('[FILE-13] ends with the process', async () => {
    const primary = await site.openRegion()
    for (const content of contents) await primary.store.put(content)
    const candidate = await site.openRegion({ leader: at(primary) })
    const filled = candidate.store.replicateAll()
    await candidate.store.close()
    expect(await filled).toBe(false)
    expect(listFiles(candidate.folder).filter((path) => path.startsWith('drafts/'))).toEqual([])
  })
})
