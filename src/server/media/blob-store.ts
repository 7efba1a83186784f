import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, open, readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { isFileHash } from '../../shared/media/rules.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { Semaphore } from '../limits/semaphore.ts'
import { withStallTimeout } from '../limits/stall-timeout.ts'

/** A file by its name; `size` in bytes. */
export interface BlobRef {
  hash: string
  size: number
}

/** Where a file lies; `size` in bytes. It stays as it is for good, so it can be opened at leisure. */
export interface StoredFile {
  path: string
  size: number
}

export interface BlobStoreLimits {
  maxBytes: number
  /** How many files are written at once, and how many more wait for that. */
  maxConcurrentWrites: number
  maxQueuedWrites: number
  /** A source from which nothing came for so long is given up. */
  stallMs: number
}

/** What the system says when there is no room: for bytes, or for one more open file. */
const NO_SPACE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'])
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])
const TEMP_FOLDER = 'drafts'

/** Files named by the SHA-256 of their content. One process works with a folder at a time. */
export class BlobStore {
  private readonly root: string
  private readonly limits: BlobStoreLimits
  private readonly writeSemaphore: Semaphore
  /** Names that are given or taken away at this moment. */
  private readonly locks = new Map<string, Promise<unknown>>()
  /** The folders below that are known to be on the disk for good. */
  private readonly syncedFolders = new Set<string>()

  private constructor(root: string, limits: BlobStoreLimits) {
    this.root = root
    this.limits = limits
    this.writeSemaphore = new Semaphore(limits.maxConcurrentWrites, limits.maxQueuedWrites)
  }

  /** Makes the folder where there is none and clears away what a crash left half written. */
  static async open(path: string, limits: BlobStoreLimits): Promise<BlobStore> {
    await mkdir(path, { recursive: true })
    const folder = new BlobStore(await realpath(path), limits)
    await folder.ensureFolder(TEMP_FOLDER)
    const drafts = join(folder.root, TEMP_FOLDER)
    for (const name of await readdir(drafts)) await rm(join(drafts, name), { recursive: true })
    return folder
  }

  /** The file of this name, or null where there is none. What is not a file of ours, such as a link, counts as none. */
  async find(hash: string): Promise<StoredFile | null> {
    if (!isFileHash(hash)) return null
    const path = this.pathOf(hash)
    try {
      if ((await realpath(path)) !== path) return null
      const found = await stat(path)
      return found.isFile() ? { path, size: found.size } : null
    } catch (error) {
      if (NOT_FOUND_CODES.has(errorCode(error))) return null
      throw error
    }
  }

  /**
   * Keeps what comes, durably, and answers its name. `announced` is what it should turn out to be.
   * Refusals: Busy (no room, too many at once), TooLarge, InvalidInput (empty, or not what was announced). Throws what
   * the source throws, and Stalled. Whatever happens, there is a whole file or nothing.
   */
  put(chunks: AsyncIterable<Uint8Array>, announced?: BlobRef): Promise<BlobRef | Refusal> {
    return this.writeSemaphore.run(async () => {
      const draft = join(this.root, TEMP_FOLDER, randomBytes(12).toString('hex'))
      try {
        const written = await this.writeTempFile(draft, chunks, announced?.size ?? this.limits.maxBytes)
        if (written instanceof Refusal) return written
        if (written.size === 0 || (announced && !isSameBlob(written, announced))) return refuse('InvalidInput')
        await this.withLock(written.hash, () => this.linkIntoPlace(draft, written.hash))
        return written
      } catch (error) {
        if (NO_SPACE_CODES.has(errorCode(error))) return refuse('Busy')
        throw error
      } finally {
        await rm(draft, { force: true })
      }
    })
  }

  /**
   * Takes away every file that came before `before`, in epoch milliseconds by this machine's clock, and is not needed, and
   * answers which those were. `isNeeded` is asked at the last moment.
   */
  async sweep(before: number, isNeeded: (hash: string) => boolean): Promise<string[]> {
    const removed: string[] = []
    for (const below of await readdir(this.root)) {
      if (!/^[0-9a-f]{2}$/.test(below)) continue
      for (const name of await readdir(join(this.root, below))) {
        const hash = below + name
        if (isNeeded(hash)) continue
        if (await this.withLock(hash, () => this.removeIfUnneeded(hash, before, isNeeded))) removed.push(hash)
      }
    }
    return removed
  }

  private async removeIfUnneeded(hash: string, before: number, isNeeded: (hash: string) => boolean): Promise<boolean> {
    const file = await this.find(hash)
    if (!file || (await stat(file.path)).mtimeMs >= before || isNeeded(hash)) return false
    await rm(file.path)
    return true
  }

  /** What is done to one name is done one after another: or a file would be taken away just as it comes again. */
  private async withLock<T>(hash: string, work: () => Promise<T>): Promise<T> {
    while (this.locks.has(hash)) await this.locks.get(hash)
    const done = work().finally(() => this.locks.delete(hash))
    this.locks.set(
      hash,
      done.catch(() => {}), // whoever asked for it hears
    )
    return done
  }

  private async writeTempFile(
    draft: string,
    chunks: AsyncIterable<Uint8Array>,
    expectedBytes: number,
  ): Promise<BlobRef | Refusal> {
    const mostBytes = Math.min(expectedBytes, this.limits.maxBytes)
    const handle = await open(draft, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      let size = 0
      for await (const chunk of withStallTimeout(() => this.limits.stallMs, chunks)) {
        size += chunk.byteLength
        if (size > mostBytes) return refuse('TooLarge')
        hash.update(chunk)
        await handle.writeFile(chunk)
      }
      await handle.sync()
      return { hash: hash.digest('hex'), size }
    } finally {
      await handle.close()
    }
  }

  /** Gives a draft that is on the disk its name, in one step, and waits until the name is on the disk too. */
  private async linkIntoPlace(draft: string, hash: string): Promise<void> {
    const below = hash.slice(0, 2)
    await this.ensureFolder(below)
    try {
      await link(draft, this.pathOf(hash))
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
      // The same bytes came before, and stay. What is no file of ours has no business in its place.
      if (!(await this.find(hash))) await rename(draft, this.pathOf(hash))
      const now = new Date()
      await utimes(this.pathOf(hash), now, now) // to `sweep` they came just now
    }
    await syncFolder(join(this.root, below))
  }

  private async ensureFolder(name: string): Promise<void> {
    if (this.syncedFolders.has(name)) return
    const path = join(this.root, name)
    await mkdir(path, { recursive: true })
    if ((await realpath(path)) !== path) throw new Error(`${path} should be a folder, but is a link`)
    await syncFolder(this.root)
    this.syncedFolders.add(name)
  }

  private pathOf(hash: string): string {
    return join(this.root, hash.slice(0, 2), hash.slice(2))
  }
}

function isSameBlob(one: BlobRef, other: BlobRef): boolean {
  return one.hash === other.hash && one.size === other.size
}

/** After this what was named in the folder is still there after a power cut. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
