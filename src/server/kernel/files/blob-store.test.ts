import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_FILE_BYTES } from '../../../shared/media/rules.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import {
  blobPathOf,
  createDeferred,
  fileHandlePrototype,
  listFiles,
  sha256,
} from '../../testing/fixtures/file-cluster.ts'
import { createTemporaryFolder } from '../../testing/fixtures/test-database.ts'
import { StallError } from '../limits/stall-timeout.ts'
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

describe('BlobStore', { timeout: 30_000 }, () => {
  it('[FILE-01] names a file by the hash of its content', async () => {
    expect(await folder.put(stream(Buffer.from('a'), Buffer.from('bc')))).toEqual({ hash: ABC_HASH, size: 3 })
    expect(listFiles(path)).toEqual([blobPathOf(ABC_HASH)])
    expect(await folder.find(ABC_HASH)).toEqual({ path: join(path, blobPathOf(ABC_HASH)), size: 3 })
    expect(readFileSync(join(path, blobPathOf(ABC_HASH)), 'utf8')).toBe('abc')
    expect(await folder.find(sha256(Buffer.from('other')))).toBeNull()
  })

  it('[FILE-01] finds stored files after a restart', async () => {
    await folder.put(stream(abc))
    const again = await BlobStore.open(path, limits)
    expect(await again.find(ABC_HASH)).toMatchObject({ size: 3 })
  })

  it('[FILE-02] stores one file for 50 concurrent puts of the same content, and never rewrites it', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => folder.put(stream(abc))))
    expect(all).toEqual(Array(50).fill({ hash: ABC_HASH, size: 3 }))
    expect(listFiles(path)).toEqual([blobPathOf(ABC_HASH)])
    const { ino } = statSync(join(path, blobPathOf(ABC_HASH)))
    await folder.put(stream(abc))
    expect(statSync(join(path, blobPathOf(ABC_HASH))).ino).toBe(ino)
  })

  it('[FILE-02] hides a file until it is complete', async () => {
    const halfWritten = createDeferred()
    const resume = createDeferred()
    const stored = folder.put(
      (async function* () {
        yield Buffer.from('a')
        halfWritten.give()
        await resume.given
        yield Buffer.from('bc')
      })(),
    )
    await halfWritten.given
    expect(await folder.find(ABC_HASH)).toBeNull()
    expect(listFiles(path)).toEqual([expect.stringMatching(/^drafts\//)])
    resume.give()
    await stored
    expect(listFiles(path)).toEqual([blobPathOf(ABC_HASH)])
  })

  it('[FILE-02] syncs the bytes before the file is linked, and the folders after it', async () => {
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

  it('[FILE-03] removes the temporary files of a crash, and nothing else', async () => {
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

  it('[FILE-04] stores 20 MiB, and refuses one byte more', async () => {
    const most = Buffer.alloc(MAX_FILE_BYTES, 1)
    expect(await folder.put(stream(most))).toEqual({ hash: sha256(most), size: 20_971_520 })
    expect(codeOf(await folder.put(stream(most, Buffer.alloc(1))))).toBe('TooLarge')
    expect(listFiles(path)).toEqual([blobPathOf(sha256(most))])
  })

  it('[FILE-04] stops reading a source at 20 MiB', async () => {
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

  it('[FILE-04] refuses an empty file', async () => {
    expect(codeOf(await folder.put(stream()))).toBe('InvalidInput')
    expect(codeOf(await folder.put(stream(Buffer.alloc(0))))).toBe('InvalidInput')
    expect(listFiles(path)).toEqual([])
  })

  it.each([
    ['writeFile', 'ENOSPC'],
    ['writeFile', 'EDQUOT'],
    ['sync', 'ENOSPC'],
  ] as const)('[FILE-05] refuses with Busy when %s fails with %s, and leaves no file', async (method, code) => {
    const handle = await fileHandlePrototype()
    vi.spyOn(handle, method).mockRejectedValueOnce(Object.assign(new Error('no room'), { code }))
    expect(codeOf(await folder.put(stream(abc)))).toBe('Busy')
    expect(listFiles(path)).toEqual([])
    expect(await folder.put(stream(abc))).toEqual({ hash: ABC_HASH, size: 3 })
  })

  it('[FILE-05] throws other disk errors, and leaves no file', async () => {
    const handle = await fileHandlePrototype()
    vi.spyOn(handle, 'sync').mockRejectedValueOnce(Object.assign(new Error('broken disk'), { code: 'EIO' }))
    await expect(folder.put(stream(abc))).rejects.toThrow('broken disk')
    expect(listFiles(path)).toEqual([])
  })

  it('[FILE-05] limits concurrent and queued writes, and refuses the rest with Busy', async () => {
    const narrow = await BlobStore.open(path, { ...limits, maxConcurrentWrites: 2, maxQueuedWrites: 1 })
    const resume = createDeferred()
    let writing = 0
    const slow = async function* (text: string) {
      writing++
      await resume.given
      yield Buffer.from(text)
    }
    const three = ['one', 'two', 'three'].map((text) => narrow.put(slow(text)))
    expect(codeOf(await narrow.put(slow('four')))).toBe('Busy')
    await vi.waitFor(() => expect(writing).toBe(2), { timeout: 20_000 })
    resume.give()
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
  ])('[FILE-06] finds no file under the name %j', async (name) => {
    await folder.put(stream(abc))
    writeFileSync(join(outside.path, 'secret'), 'secret')
    expect(await folder.find(name)).toBeNull()
  })

  it('[FILE-06] does not follow a symbolic link under a file name, and replaces it when the file is stored', async () => {
    const secret = join(outside.path, 'secret')
    writeFileSync(secret, 'secret')
    mkdirSync(join(path, ABC_HASH.slice(0, 2)))
    symlinkSync(secret, join(path, blobPathOf(ABC_HASH)))
    expect(await folder.find(ABC_HASH)).toBeNull()
    expect(await folder.put(stream(abc))).toEqual({ hash: ABC_HASH, size: 3 })
    expect(await folder.find(ABC_HASH)).toMatchObject({ size: 3 })
    expect(readFileSync(secret, 'utf8')).toBe('secret')
  })

  it('[FILE-06] does not follow a symbolic link under a folder name', async () => {
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
    ['another hash than', { hash: sha256(Buffer.from('abd')), size: 3 }, 'InvalidInput'],
    ['fewer bytes than', { hash: ABC_HASH, size: 4 }, 'InvalidInput'],
    ['more bytes than', { hash: ABC_HASH, size: 2 }, 'TooLarge'],
  ])('[FILE-16] leaves no file when the source has %s announced', async (_, announced, code) => {
    expect(codeOf(await folder.put(stream(abc), announced))).toBe(code)
    expect(listFiles(path)).toEqual([])
  })

  it('[FILE-16] leaves no file when the source throws', async () => {
    const broken = async function* () {
      yield Buffer.from('ab')
      throw new Error('connection lost')
    }
    await expect(folder.put(broken())).rejects.toThrow('connection lost')
    expect(listFiles(path)).toEqual([])
  })

  it('[FILE-16] aborts a source after 10 s without a byte, and not before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const stalled = createDeferred()
    const outcome = folder.put(
      (async function* () {
        yield Buffer.from('ab')
        stalled.give()
        await new Promise(() => {})
      })(),
    )
    let isSettled = false
    const rejection = expect(outcome.finally(() => (isSettled = true))).rejects.toThrow(StallError)
    await stalled.given
    await vi.advanceTimersByTimeAsync(9_999)
    expect(isSettled).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await rejection
    expect(listFiles(path)).toEqual([])
  })
})

describe('BlobStore.sweep', { timeout: 30_000 }, () => {
  const DAY_MS = 24 * 60 * 60_000
  const old = new Date(Date.now() - 3 * DAY_MS)
  const age = (hash: string) => utimesSync(join(path, blobPathOf(hash)), old, old)
  const sweep = (needed: string[] = []) => folder.sweep(Date.now() - DAY_MS, (hash) => needed.includes(hash))

  it('[FILE-28] removes old files that are not needed, and nothing else', async () => {
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

  it('[FILE-28] keeps a file that was stored again, without rewriting it', async () => {
    await folder.put(stream(abc))
    age(ABC_HASH)
    const { ino } = statSync(join(path, blobPathOf(ABC_HASH)))
    await folder.put(stream(abc))
    expect(await sweep()).toEqual([])
    expect(statSync(join(path, blobPathOf(ABC_HASH))).ino).toBe(ino)
  })

  it('[FILE-28] keeps a file that is stored again during the sweep', async () => {
    for (let round = 0; round < 20; round++) {
      await folder.put(stream(abc))
      age(ABC_HASH)
      await Promise.all(round % 2 ? [folder.put(stream(abc)), sweep()] : [sweep(), folder.put(stream(abc))])
      expect(await folder.find(ABC_HASH)).toMatchObject({ size: 3 })
    }
  })
})
