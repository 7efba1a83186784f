import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_FILE_BYTES } from '../../shared/media/rules.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import { StallError } from '../limits/stall-timeout.ts'
import { blobPathOf, createDeferred, fileHandlePrototype, listFiles, sha256 } from '../testing/fixtures/file-cluster.ts'
import { createTemporaryFolder } from '../testing/fixtures/test-database.ts'
import { BlobStore, type BlobStoreLimits } from './blob-store.ts'

const limits: BlobStoreLimits = {
  maxBytes: MAX_FILE_BYTES,
  maxConcurrentWrites: 4,
  maxQueuedWrites: 100,
  stallMs: 10_000,
}
const abc = Buffer.from('abc')
/** FIPS 180-2, appendix B.1. */
const ABC_HASH = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

let outside: ReturnType<typeof createTemporaryFolder>
let path: string
let folder: BlobStore
beforeEach(async () => {
  outside = createTemporaryFolder()
  path = join(outside.path, 'data', 'files')
  folder = await BlobStore.open(path, limits)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  outside.remove()
})

async function* stream(...chunks: Uint8Array[]) {
  yield* chunks
}
const codeOf = (outcome: unknown) => (outcome instanceof Refusal ? outcome.body.code : outcome)

describe('a folder of files', { timeout: 30_000 }, () => {
  it('[FILE-01] names a file by the hash of its content', async () => {
    expect(await folder.put(stream(Buffer.from('a'), Buffer.from('bc')))).toEqual({ hash: ABC_HASH, size: 3 })
    expect(listFiles(path)).toEqual([blobPathOf(ABC_HASH)])
    expect(await folder.find(ABC_HASH)).toEqual({ path: join(path, blobPathOf(ABC_HASH)), size: 3 })
    expect(readFileSync(join(path, blobPathOf(ABC_HASH)), 'utf8')).toBe('abc')
    expect(await folder.find(sha256(Buffer.from('other')))).toBeNull()
  })

  it('[FILE-01] is the same after the process has started again', async () => {
    await folder.put(stream(abc))
    const again = await BlobStore.open(path, limits)
    expect(await again.find(ABC_HASH)).toMatchObject({ size: 3 })
  })

  it('[FILE-02] keeps one file of what comes 50 times at once, and never writes it again', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => folder.put(stream(abc))))
    expect(all).toEqual(Array(50).fill({ hash: ABC_HASH, size: 3 }))
    expect(listFiles(path)).toEqual([blobPathOf(ABC_HASH)])
    const { ino } = statSync(join(path, blobPathOf(ABC_HASH)))
    await folder.put(stream(abc))
    expect(statSync(join(path, blobPathOf(ABC_HASH))).ino).toBe(ino)
  })

  it('[FILE-02] shows nothing of a file before it is whole', async () => {
    const halfway = createDeferred()
    const goOn = createDeferred()
    const kept = folder.put(
      (async function* () {
        yield Buffer.from('a')
        halfway.give()
        await goOn.given
        yield Buffer.from('bc')
      })(),
    )
    await halfway.given
    expect(await folder.find(ABC_HASH)).toBeNull()
    expect(listFiles(path)).toEqual([expect.stringMatching(/^drafts\//)])
    goOn.give()
    await kept
    expect(listFiles(path)).toEqual([blobPathOf(ABC_HASH)])
  })

  it('[FILE-02] syncs the bytes before they get their name, and the folders after', async () => {
    const seen: string[] = []
    const handle = await fileHandlePrototype()
    const { sync } = handle
    vi.spyOn(handle, 'sync').mockImplementation(async function (this: FileHandle) {
      seen.push(
        `${(await this.stat()).isDirectory() ? 'folder' : 'file'}, named: ${existsSync(join(path, blobPathOf(ABC_HASH)))}`,
      )
      return sync.call(this)
    })
    await folder.put(stream(abc))
    expect(seen).toEqual(['file, named: false', 'folder, named: false', 'folder, named: true'])
  })

  it('[FILE-03] clears what a crash left half written, and nothing else', async () => {
    await folder.put(stream(abc))
    const secret = join(outside.path, 'secret')
    writeFileSync(secret, 'secret')
    writeFileSync(join(path, 'drafts', 'half'), 'ab')
    symlinkSync(secret, join(path, 'drafts', 'link'))
    mkdirSync(join(path, 'drafts', 'folder'))
    symlinkSync(outside.path, join(path, 'drafts', 'folder', 'up'))
    await BlobStore.open(path, limits)
    expect(listFiles(path)).toEqual([blobPathOf(ABC_HASH)])
    expect(readFileSync(secret, 'utf8')).toBe('secret')
  })

  it('[FILE-04] takes 20 MiB, and not a byte more', async () => {
    const most = Buffer.alloc(MAX_FILE_BYTES, 1)
    expect(await folder.put(stream(most))).toEqual({ hash: sha256(most), size: 20_971_520 })
    expect(codeOf(await folder.put(stream(most, Buffer.alloc(1))))).toBe('TooLarge')
    expect(listFiles(path)).toEqual([blobPathOf(sha256(most))])
  })

  it('[FILE-04] does not read what is too large to its end', async () => {
    let read = 0
    const ended = createDeferred()
    const endless = async function* () {
      try {
        for (;;) yield Buffer.alloc(1024 * 1024, ++read)
      } finally {
        ended.give()
      }
    }
    expect(codeOf(await folder.put(endless()))).toBe('TooLarge')
    await ended.given
    expect(read).toBe(21)
    expect(listFiles(path)).toEqual([])
  })

  it('[FILE-04] takes no empty file', async () => {
    expect(codeOf(await folder.put(stream()))).toBe('InvalidInput')
    expect(codeOf(await folder.put(stream(Buffer.alloc(0))))).toBe('InvalidInput')
    expect(listFiles(path)).toEqual([])
  })

  it.each([
    ['writeFile', 'ENOSPC'],
    ['writeFile', 'EDQUOT'],
    ['sync', 'ENOSPC'],
  ] as const)('[FILE-05] refuses with Busy when %s says %s, and leaves nothing behind', async (method, code) => {
    const handle = await fileHandlePrototype()
    vi.spyOn(handle, method).mockRejectedValueOnce(Object.assign(new Error('no room'), { code }))
    expect(codeOf(await folder.put(stream(abc)))).toBe('Busy')
    expect(listFiles(path)).toEqual([])
    expect(await folder.put(stream(abc))).toEqual({ hash: ABC_HASH, size: 3 })
  })

  it('[FILE-05] throws at a disk that fails in another way, and leaves nothing behind', async () => {
    const handle = await fileHandlePrototype()
    vi.spyOn(handle, 'sync').mockRejectedValueOnce(Object.assign(new Error('broken disk'), { code: 'EIO' }))
    await expect(folder.put(stream(abc))).rejects.toThrow('broken disk')
    expect(listFiles(path)).toEqual([])
  })

  it('[FILE-05] writes so many at once, lets so many wait, and refuses the rest with Busy', async () => {
    const narrow = await BlobStore.open(path, { ...limits, maxConcurrentWrites: 2, maxQueuedWrites: 1 })
    const goOn = createDeferred()
    let writing = 0
    const slow = async function* (text: string) {
      writing++
      await goOn.given
      yield Buffer.from(text)
    }
    const three = ['one', 'two', 'three'].map((text) => narrow.put(slow(text)))
    expect(codeOf(await narrow.put(slow('four')))).toBe('Busy')
    await vi.waitFor(() => expect(writing).toBe(2), { timeout: 20_000 })
    goOn.give()
    expect(await Promise.all(three)).toEqual(
      ['one', 'two', 'three'].map((text) => ({ hash: sha256(Buffer.from(text)), size: text.length })),
    )
    expect(writing).toBe(3)
    expect(await narrow.put(stream(abc))).toMatchObject({ size: 3 })
  })

  it.each([
    '',
    '../../secret',
    '/etc/passwd',
    `../${'a'.repeat(61)}`,
    ABC_HASH.toUpperCase(),
    ABC_HASH.slice(1),
    `${ABC_HASH}0`,
    `${ABC_HASH}\n`,
    `${ABC_HASH.slice(0, 63)}\0`,
    `drafts/${ABC_HASH}`,
  ])('[FILE-06] finds nothing under the name %j', async (name) => {
    await folder.put(stream(abc))
    writeFileSync(join(outside.path, 'secret'), 'secret')
    expect(await folder.find(name)).toBeNull()
  })

  it('[FILE-06] follows no link in a file’s place, and puts the file there when it comes', async () => {
    const secret = join(outside.path, 'secret')
    writeFileSync(secret, 'secret')
    mkdirSync(join(path, ABC_HASH.slice(0, 2)))
    symlinkSync(secret, join(path, blobPathOf(ABC_HASH)))
    expect(await folder.find(ABC_HASH)).toBeNull()
    expect(await folder.put(stream(abc))).toEqual({ hash: ABC_HASH, size: 3 })
    expect(await folder.find(ABC_HASH)).toMatchObject({ size: 3 })
    expect(readFileSync(secret, 'utf8')).toBe('secret')
  })

  it('[FILE-06] follows no link in a folder’s place', async () => {
    const elsewhere = join(outside.path, 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, ABC_HASH.slice(2)), 'secret')
    symlinkSync(elsewhere, join(path, ABC_HASH.slice(0, 2)))
    expect(await folder.find(ABC_HASH)).toBeNull()
    await expect(folder.put(stream(abc))).rejects.toThrow('is a link')
    expect(listFiles(elsewhere)).toEqual([ABC_HASH.slice(2)])
    expect(listFiles(join(path, 'drafts'))).toEqual([])
  })

  it.each([
    ['another hash', { hash: sha256(Buffer.from('abd')), size: 3 }, 'InvalidInput'],
    ['fewer bytes', { hash: ABC_HASH, size: 4 }, 'InvalidInput'],
    ['more bytes', { hash: ABC_HASH, size: 2 }, 'TooLarge'],
  ])('[FILE-16] keeps nothing when %s come than were announced', async (_, announced, code) => {
    expect(codeOf(await folder.put(stream(abc), announced))).toBe(code)
    expect(listFiles(path)).toEqual([])
  })

  it('[FILE-16] keeps nothing of a source that breaks off', async () => {
    const broken = async function* () {
      yield Buffer.from('ab')
      throw new Error('the line broke')
    }
    await expect(folder.put(broken())).rejects.toThrow('the line broke')
    expect(listFiles(path)).toEqual([])
  })

  it('[FILE-16] gives a source up that is silent for 10 s, and not before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const silent = createDeferred()
    const outcome = folder.put(
      (async function* () {
        yield Buffer.from('ab')
        silent.give()
        await new Promise(() => {})
      })(),
    )
    let isOver = false
    const over = expect(outcome.finally(() => (isOver = true))).rejects.toThrow(StallError)
    await silent.given
    await vi.advanceTimersByTimeAsync(9_999)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await over
    expect(listFiles(path)).toEqual([])
  })
})

describe('sweeping a folder', { timeout: 30_000 }, () => {
  const DAY_MS = 24 * 60 * 60_000
  const old = new Date(Date.now() - 3 * DAY_MS)
  const age = (hash: string) => utimesSync(join(path, blobPathOf(hash)), old, old)
  const sweep = (needed: string[] = []) => folder.sweep(Date.now() - DAY_MS, (hash) => needed.includes(hash))

  it('[FILE-28] takes away what is not needed and came long ago, and nothing else', async () => {
    const names = ['needed', 'young', 'gone'].map((text) => sha256(Buffer.from(text))) as [string, string, string]
    const [needed, young, gone] = names
    for (const text of ['needed', 'young', 'gone']) await folder.put(stream(Buffer.from(text)))
    for (const hash of [needed, gone]) age(hash)
    const secret = join(outside.path, 'secret')
    writeFileSync(secret, 'secret')
    symlinkSync(secret, join(path, `${gone.slice(0, 2)}/${'0'.repeat(62)}`))
    writeFileSync(join(path, gone.slice(0, 2), 'notes.txt'), 'of somebody')
    writeFileSync(join(path, 'ab.txt'), 'of somebody')
    writeFileSync(join(path, 'drafts', 'half'), 'ab')
    const before = listFiles(path)
    expect(await sweep([needed])).toEqual([gone])
    expect(listFiles(path)).toEqual(before.filter((file) => file !== blobPathOf(gone)))
    expect(readFileSync(secret, 'utf8')).toBe('secret')
    expect(await sweep([needed])).toEqual([])
    expect(await sweep()).toEqual([needed])
    expect(await folder.find(young)).not.toBeNull()
  })

  it('[FILE-28] spares what has come again, without writing it again', async () => {
    await folder.put(stream(abc))
    age(ABC_HASH)
    const { ino } = statSync(join(path, blobPathOf(ABC_HASH)))
    await folder.put(stream(abc))
    expect(await sweep()).toEqual([])
    expect(statSync(join(path, blobPathOf(ABC_HASH))).ino).toBe(ino)
  })

  it('[FILE-28] leaves what comes again while it sweeps', async () => {
    for (let turn = 0; turn < 20; turn++) {
      await folder.put(stream(abc))
      age(ABC_HASH)
      await Promise.all(turn % 2 ? [folder.put(stream(abc)), sweep()] : [sweep(), folder.put(stream(abc))])
      expect(await folder.find(ABC_HASH)).toMatchObject({ size: 3 })
    }
  })
})
