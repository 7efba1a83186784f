import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, open, readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { isFileHash } from '../../../shared/media/rules.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { Semaphore } from '../limits/semaphore.ts'
import { withStallTimeout } from '../limits/stall-timeout.ts'

/** A file by its SHA-256 in hex; `size` in bytes. */
export interface BlobRef {
  hash: string
  size: number
}

/** The path and size in bytes of a stored file. Its content never changes. */
export interface StoredFile {
  path: string
  size: number
}

export interface BlobStoreLimits {
  maxBytes: number
  /** Further writes wait, up to `maxQueuedWrites`; the rest are refused with Busy. */
  maxConcurrentWrites: number
  maxQueuedWrites: number
  /** A source without a byte for this long is aborted. */
  stallMs: number
}

/** No disk space, or no free file descriptor. */
const NO_SPACE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'])
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])
const TEMP_FOLDER = 'drafts'

/** Files named by the SHA-256 of their content. Only one process may use a folder at a time. */
export class BlobStore {
  private readonly root: string
  private readonly limits: BlobStoreLimits
  private readonly writeSemaphore: Semaphore
  /** Hashes that are being linked or removed. */
  private readonly locks = new Map<string, Promise<unknown>>()
  /** Subfolders whose creation is synced to the disk. */
  private readonly syncedFolders = new Set<string>()

  private constructor(root: string, limits: BlobStoreLimits) {
    this.root = root
    this.limits = limits
    this.writeSemaphore = new Semaphore(limits.maxConcurrentWrites, limits.maxQueuedWrites)
  }

  /** Creates the folder if it is missing, and removes the temporary files of a crash. */
  static async open(path: string, limits: BlobStoreLimits): Promise<BlobStore> {
    await mkdir(path, { recursive: true })
    const store = new BlobStore(await realpath(path), limits)
    await store.ensureFolder(TEMP_FOLDER)
    const tempFolder = join(store.root, TEMP_FOLDER)
    for (const name of await readdir(tempFolder)) await rm(join(tempFolder, name), { recursive: true })
    return store
  }

  /** The file with this hash, or null. Anything but a regular file, such as a symbolic link, counts as missing. */
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
   * Stores the content durably and returns its hash. The content must match `announced`, if given, and has at most
   * `maxBytes`. Refusals: Busy (no space, too many writes), TooLarge, InvalidInput (empty, or other than announced). Throws what
   * the source throws, and StallError. Atomic: an error leaves no file.
   */
  put(
    chunks: AsyncIterable<Uint8Array>,
    announced?: BlobRef,
    maxBytes = this.limits.maxBytes,
  ): Promise<BlobRef | Refusal> {
    return this.writeSemaphore.run(async () => {
      const tempPath = join(this.root, TEMP_FOLDER, randomBytes(12).toString('hex'))
      try {
        const written = await this.writeTempFile(tempPath, chunks, announced?.size ?? maxBytes)
        if (written instanceof Refusal) return written
        if (written.size === 0 || (announced && !isSameBlob(written, announced))) return refuse('InvalidInput')
        await this.withLock(written.hash, () => this.linkIntoPlace(tempPath, written.hash))
        return written
      } catch (error) {
        if (isOutOfSpace(error)) return refuse('Busy')
        throw error
      } finally {
        await rm(tempPath, { force: true })
      }
    })
  }

  /**
   * Removes the files that are not needed and were last stored before `before`, in epoch milliseconds of this machine's
   * clock. Returns their hashes. `isNeeded` is checked again right before each removal.
   */
  async sweep(before: number, isNeeded: (hash: string) => boolean): Promise<string[]> {
    const removed: string[] = []
    for (const subfolder of await readdir(this.root)) {
      if (!/^[0-9a-f]{2}$/.test(subfolder)) continue
      for (const name of await readdir(join(this.root, subfolder))) {
        const hash = subfolder + name
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

  /** Serializes the operations on one hash: a sweep must not remove a file that is being stored again. */
  private async withLock<T>(hash: string, operation: () => Promise<T>): Promise<T> {
    while (this.locks.has(hash)) await this.locks.get(hash)
    const result = operation().finally(() => this.locks.delete(hash))
    this.locks.set(
      hash,
      result.catch(() => {}), // the caller gets the error from `result`
    )
    return result
  }

  private async writeTempFile(
    tempPath: string,
    chunks: AsyncIterable<Uint8Array>,
    expectedBytes: number,
  ): Promise<BlobRef | Refusal> {
    const limitBytes = Math.min(expectedBytes, this.limits.maxBytes)
    const handle = await open(tempPath, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      let size = 0
      for await (const chunk of withStallTimeout(() => this.limits.stallMs, chunks)) {
        size += chunk.byteLength
        if (size > limitBytes) return refuse('TooLarge')
        hash.update(chunk)
        await handle.writeFile(chunk)
      }
      await handle.sync()
      return { hash: hash.digest('hex'), size }
    } finally {
      await handle.close()
    }
  }

  /** Links a synced temporary file into place atomically, and syncs the folder. */
  private async linkIntoPlace(tempPath: string, hash: string): Promise<void> {
    const subfolder = hash.slice(0, 2)
    await this.ensureFolder(subfolder)
    try {
      await link(tempPath, this.pathOf(hash))
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
      // An existing file with the same content stays; anything else under its name is replaced.
      if (!(await this.find(hash))) await rename(tempPath, this.pathOf(hash))
      const now = new Date()
      await utimes(this.pathOf(hash), now, now) // `sweep` counts the age from here
    }
    await syncFolder(join(this.root, subfolder))
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

/** Whether a write failed because the disk is full. */
export function isOutOfSpace(error: unknown): boolean {
  return NO_SPACE_CODES.has(errorCode(error))
}

function isSameBlob(a: BlobRef, b: BlobRef): boolean {
  return a.hash === b.hash && a.size === b.size
}

/** Makes new names in the folder survive a power failure. */
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
