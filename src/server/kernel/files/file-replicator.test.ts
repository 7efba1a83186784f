import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fileRows } from '../../model/media/queries.ts'
import {
  blobPathOf,
  createDeferred,
  type FileCluster,
  listFiles,
  openFileCluster,
  sha256,
} from '../../testing/fixtures/file-cluster.ts'
import { FileReplicator } from './file-replicator.ts'

let site: FileCluster
beforeEach(async () => {
  site = await openFileCluster()
})
afterEach(() => site.close())

const at = ({ origin }: { origin: string }) => ({ is: 'other', url: origin }) as const
const contents = Array.from({ length: 30 }, (_, index) => Buffer.from(`file ${index}`))
const fileOf = (content: Uint8Array) => ({ hash: sha256(content), size: content.length })
const pathsOf = (all: Uint8Array[]) => all.map((content) => blobPathOf(sha256(content))).sort()

describe('replicating files', { timeout: 30_000 }, () => {
  it('[FILE-13] fetches every file to a candidate, oldest first, and requests none twice', async () => {
    const primary = await site.openRegion()
    for (const content of contents) await primary.store.put(content)
    const candidate = await site.openRegion({ leader: at(primary) })
    expect(await candidate.store.replicateAll()).toBe(true)
    expect(listFiles(candidate.folder)).toEqual(pathsOf(contents))
    const oldestFirst = contents.slice(0, 8).map((content) => `GET /link/files/${sha256(content)}`)
    expect(primary.requests.slice(0, 8).sort()).toEqual(oldestFirst.sort())
    await candidate.store.replicateAll()
    await candidate.store.replicateNew()
    expect(primary.requests).toHaveLength(contents.length)
  })

  it('[FILE-13] fetches new files that another region uploaded', async () => {
    const primary = await site.openRegion()
    const candidate = await site.openRegion({ leader: at(primary) })
    const uploader = await site.openRegion({ leader: at(primary), isCandidate: false })
    for (const content of contents.slice(0, 3)) {
      await uploader.store.put(content)
      expect(await candidate.store.replicateNew()).toBe(true)
      expect(await candidate.store.has(sha256(content))).toBe(true)
    }
  })

  it('[FILE-13] fetches no files to a region that is not a candidate', async () => {
    const primary = await site.openRegion()
    await primary.store.put(contents[0] ?? Buffer.alloc(1))
    const reader = await site.openRegion({ leader: at(primary), isCandidate: false })
    expect(await reader.store.replicateAll()).toBe(false)
    expect([listFiles(reader.folder), primary.requests]).toEqual([[], []])
  })

  it('[FILE-13] retries the files once a region can be reached', async () => {
    const primary = await site.openRegion()
    for (const content of contents) await primary.store.put(content)
    const candidate = await site.openRegion({ leader: { is: 'nobody' } })
    expect(await candidate.store.replicateAll()).toBe(false)
    expect(listFiles(candidate.folder)).toEqual([])
    candidate.others = [primary.origin]
    expect(await candidate.store.replicateAll()).toBe(true)
    expect(listFiles(candidate.folder)).toEqual(pathsOf(contents))
  })

  it('[FILE-13] skips a file that no region has, and retries it in replicateAll, not in replicateNew', async () => {
    const primary = await site.openRegion()
    const [lost = Buffer.alloc(1), ...others] = contents
    await site.registerFile(fileOf(lost))
    for (const content of others) await primary.store.put(content)
    const candidate = await site.openRegion({ leader: at(primary) })
    const countRequests = () => primary.requests.filter((line) => line.endsWith(sha256(lost))).length
    expect(await candidate.store.replicateAll()).toBe(false)
    expect(listFiles(candidate.folder)).toEqual(pathsOf(others))
    expect(await candidate.store.replicateNew()).toBe(false)
    expect(countRequests()).toBe(1)
    expect(await candidate.store.replicateAll()).toBe(false)
    expect(countRequests()).toBe(2)
    // A region that was unreachable has the file.
    const away = await site.openRegion()
    await away.store.put(lost)
    candidate.others = [away.origin]
    expect(await candidate.store.replicateAll()).toBe(true)
    expect(await candidate.store.has(sha256(lost))).toBe(true)
  })

  it('[FILE-13] continues after a file whose transfer fails', async () => {
    const [damaged = Buffer.alloc(1), ...others] = contents
    for (const content of contents) await site.registerFile(fileOf(content))
    const failing = await site.startServer((request, response) => {
      const content = contents.find((candidate) => request.url?.endsWith(sha256(candidate))) ?? damaged
      response.writeHead(200, { 'content-length': content.length })
      if (content === damaged) response.write(content.subarray(0, 2), () => response.destroy())
      else response.end(content)
    })
    const candidate = await site.openRegion({ leader: { is: 'other', url: failing } })
    expect(await candidate.store.replicateAll()).toBe(false)
    expect(listFiles(candidate.folder)).toEqual(pathsOf(others))
  })

  it.each([429, 503])(
    '[FILE-13] stops when a region answers %i, and continues from there in the next run',
    async (status) => {
      for (const content of contents) await site.registerFile(fileOf(content))
      let requestCount = 0
      let isBusy = true
      const busy = await site.startServer((request, response) => {
        requestCount++
        const content = contents.find((candidate) => request.url?.endsWith(sha256(candidate))) ?? Buffer.alloc(0)
        if (isBusy) response.writeHead(status).end()
        else response.writeHead(200, { 'content-length': content.length }).end(content)
      })
      const candidate = await site.openRegion({ leader: { is: 'other', url: busy } })
      expect(await candidate.store.replicateAll()).toBe(false)
      expect(requestCount).toBeLessThan(contents.length)
      isBusy = false
      expect(await candidate.store.replicateNew()).toBe(true)
      expect(listFiles(candidate.folder)).toEqual(pathsOf(contents))
    },
  )

  it('[FILE-13] fetches missing files to a new primary', async () => {
    const former = await site.openRegion()
    const next = await site.openRegion({ leader: at(former) })
    for (const content of contents) await former.store.put(content)
    next.leader = { is: 'self' }
    next.others = [former.origin]
    expect(await next.store.replicateNew()).toBe(true)
    expect(listFiles(next.folder)).toEqual(pathsOf(contents))
  })

  it.each(['the leader changed', 'the last row changed'])(
    '[FILE-13] processes all rows again when lost rows left their ids to others: %s',
    async (change) => {
      const primary = await site.openRegion()
      const [one = Buffer.alloc(1), two = Buffer.alloc(1), three = Buffer.alloc(1), four = Buffer.alloc(1)] = contents
      await primary.store.put(one)
      await primary.store.put(two)
      const candidate = await site.openRegion({ leader: at(primary) })
      await candidate.store.replicateAll()
      // A crashed primary lost the rows, and the next one reused their ids.
      const { db } = site.database
      if (change.startsWith('the leader')) {
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

  it('[FILE-13] shares one run among concurrent calls', async () => {
    const primary = await site.openRegion()
    const candidate = await site.openRegion({ leader: at(primary) })
    for (const content of contents) await primary.store.put(content)
    const runs = Array.from({ length: 20 }, () => [candidate.store.replicateAll(), candidate.store.replicateNew()])
    expect(await Promise.all(runs.flat())).toEqual(Array(40).fill(true))
    expect(primary.requests).toHaveLength(contents.length)
  })

  it('[FILE-13] processes the rows once for calls during a run, and also the rows added meanwhile', async () => {
    for (const content of contents) await site.registerFile(fileOf(content))
    const fetched: number[] = []
    const resume = createDeferred()
    const replicator = new FileReplicator({
      rows: fileRows(site.database.read),
      leader: () => ({ is: 'self' }),
      ensureLocal: async ({ id }) => {
        fetched.push(id)
        await resume.given
        return 'present'
      },
    })
    const runs = Array.from({ length: 20 }, () => replicator.replicate(true))
    await site.registerFile(fileOf(Buffer.from('late')))
    runs.push(replicator.replicate(false))
    resume.give()
    expect(await Promise.all(runs)).toEqual(Array(21).fill(true))
    expect(fetched).toEqual(Array.from({ length: contents.length + 1 }, (_, index) => index + 1))
  })

  it('[FILE-13] resolves to false on a database error, and retries in the next run', async () => {
    const primary = await site.openRegion()
    const candidate = await site.openRegion({ leader: at(primary) })
    for (const content of contents) await primary.store.put(content)
    const readAll = vi.spyOn(site.database.read, 'all').mockImplementation(() => {
      throw new Error('disk I/O error')
    })
    expect(await candidate.store.replicateAll()).toBe(false)
    readAll.mockRestore()
    expect(await candidate.store.replicateAll()).toBe(true)
  })

  it('[FILE-13] stops on close, and leaves no temporary file', async () => {
    const primary = await site.openRegion()
    for (const content of contents) await primary.store.put(content)
    const candidate = await site.openRegion({ leader: at(primary) })
    const run = candidate.store.replicateAll()
    await candidate.store.close()
    expect(await run).toBe(false)
    expect(listFiles(candidate.folder).filter((path) => path.startsWith('drafts/'))).toEqual([])
  })
})
