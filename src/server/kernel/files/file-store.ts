import type { KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isFileHash, MAX_FILE_BYTES, MAX_LARGE_FILE_BYTES } from '../../../shared/media/rules.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Leader } from '../database/leader.ts'
import { Semaphore } from '../limits/semaphore.ts'
import { type BlobRef, BlobStore, type StoredFile } from './blob-store.ts'
import { type FetchResult, FileReplicator } from './file-replicator.ts'
import { type FileRows, UNREFERENCED_GRACE_MS } from './file-rows.ts'
import { fetchFile, pushFile, type TransferContext } from './transfer.ts'

/** The files of the site. A feature stores only the hash of a file. */
export interface Files {
  /**
   * Stores bytes or a stream of bytes, at most 20 MiB of them unless `maxBytes` allows more; resolves when the primary has
   * them and their row is committed. The same content is stored once. Refusals: TooLarge, InvalidInput (empty), StorageFull, Busy, RegionCut, ShuttingDown, or those of `registerFile`.
   */
  put(content: Uint8Array | AsyncIterable<Uint8Array>, maxBytes?: number): Promise<BlobRef | Refusal>
  /** The local file, pulled from another region if it is missing here; null if no region can send it now. */
  get(hash: string): Promise<StoredFile | null>
  /** Whether this region has the file. */
  has(hash: string): Promise<boolean>
}

/** `Files` plus replication between regions, for jobs and link routes. */
export interface FileStore extends Files {
  /** The local file, or null; sends no request to other regions. */
  find(hash: string): Promise<StoredFile | null>
  /** Stores a file that another region pushes; `notPrimary` unless this region is the primary. Throws like `BlobStore.put`. */
  receive(chunks: AsyncIterable<Uint8Array>, announced: BlobRef): Promise<BlobRef | Refusal | 'notPrimary'>
  /**
   * On a candidate: fetches the missing files of all rows in batches, and retries those that no region had. Runs at the
   * start and every minute. Resolves to whether all files are here; never rejects.
   */
  replicateAll(): Promise<boolean>
  /** Like `replicateAll`, for new rows only; runs after every replicated transaction. */
  replicateNew(): Promise<boolean>
  /** Removes local files that have no row and are older than a day. Never rejects. */
  sweep(): Promise<void>
  /** The largest file, in bytes. */
  readonly maxBytes: number
  /** Aborts transfers between regions. */
  close(): Promise<void>
}

/** The other regions that have files. */
export interface FilePeers {
  /** The primary, with the URL of its site. On a single node always this region. */
  leader(): Leader
  /** The URLs of the other known regions. */
  otherUrls(): string[]
  /** Whether this region may become the primary and therefore replicates every file. */
  isCandidate: boolean
}

export interface FileStoreOptions {
  /** `files` in the data folder. */
  folder: string
  /** All regions of a site share this key. */
  key: KeyObject
  peers: FilePeers
  rows: FileRows
  /** The refusal of a new file; null while the disk has space for it. */
  checkSpace?: () => Refusal | null
  /** Runs `registerFile`. */
  register: (file: BlobRef) => Promise<object>
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  maxBytes?: number
  maxConcurrentWrites?: number
  maxQueuedWrites?: number
}

const MAX_CONCURRENT_WRITES = 32
const MAX_QUEUED_WRITES = 512
const MAX_CONCURRENT_PULLS = 16
const MAX_QUEUED_PULLS = 256
/** A transfer without a byte for this long is aborted. */
const STALL_TIMEOUT_MS = 10_000
/** How long a push waits during a change of the primary, as a command does, and how often it retries. */
const PRIMARY_WAIT_MS = 2_000
const RETRY_INTERVAL_MS = 100
const SLICE_BYTES = 256 * 1024

/** Opens the folder and removes the temporary files of a crash. Throws if the folder cannot be opened. */
export async function openFileStore(options: FileStoreOptions): Promise<FileStore> {
  const {
    maxBytes = MAX_LARGE_FILE_BYTES,
    maxConcurrentWrites = MAX_CONCURRENT_WRITES,
    maxQueuedWrites = MAX_QUEUED_WRITES,
  } = options
  const blobs = await BlobStore.open(options.folder, {
    maxBytes,
    maxConcurrentWrites,
    maxQueuedWrites,
    stallMs: STALL_TIMEOUT_MS,
  })
  return new ReplicatedFileStore(blobs, options, maxBytes)
}

class ReplicatedFileStore implements FileStore {
  readonly maxBytes: number
  private readonly blobs: BlobStore
  private readonly options: FileStoreOptions
  private readonly transferContext: TransferContext
  private readonly replicator: FileReplicator
  private readonly shutdown = new AbortController()
  private readonly pullSemaphore = new Semaphore(MAX_CONCURRENT_PULLS, MAX_QUEUED_PULLS)
  private readonly activePulls = new Map<string, Promise<FetchResult>>()

  constructor(blobs: BlobStore, options: FileStoreOptions, maxBytes: number) {
    this.maxBytes = maxBytes
    this.blobs = blobs
    this.options = options
    this.transferContext = { key: options.key, stallMs: STALL_TIMEOUT_MS, signal: this.shutdown.signal }
    this.replicator = new FileReplicator({
      rows: options.rows,
      leader: options.peers.leader,
      ensureLocal: (row) => this.fetch(row),
    })
  }

  async put(
    content: Uint8Array | AsyncIterable<Uint8Array>,
    maxBytes = Math.min(MAX_FILE_BYTES, this.maxBytes),
  ): Promise<BlobRef | Refusal> {
    const refused = this.options.checkSpace?.()
    if (refused) return refused
    const chunks = content instanceof Uint8Array ? sliceBytes(content) : content
    const stored = await this.blobs.put(chunks, undefined, maxBytes)
    if (stored instanceof Refusal) return stored
    const refusal = await this.pushToPrimary(stored)
    if (refusal) return refusal
    const registered = await this.options.register(stored)
    return registered instanceof Refusal ? registered : stored
  }

  async get(hash: string): Promise<StoredFile | null> {
    if (!isFileHash(hash)) return null
    const local = await this.blobs.find(hash)
    if (local) return local
    // Without a row, random hashes must not cause requests to every region.
    const size = this.options.rows.sizeOf(hash)
    if (size === null) return null
    await this.fetch({ hash, size })
    return this.blobs.find(hash)
  }

  async has(hash: string): Promise<boolean> {
    return (await this.blobs.find(hash)) !== null
  }

  find(hash: string): Promise<StoredFile | null> {
    return this.blobs.find(hash)
  }

  async receive(chunks: AsyncIterable<Uint8Array>, announced: BlobRef): Promise<BlobRef | Refusal | 'notPrimary'> {
    const isPrimary = () => this.options.peers.leader().is === 'self'
    if (!isPrimary()) return 'notPrimary'
    const refused = this.options.checkSpace?.()
    if (refused) return refused
    const stored = await this.blobs.put(chunks, announced)
    return stored instanceof Refusal || isPrimary() ? stored : 'notPrimary'
  }

  replicateAll(): Promise<boolean> {
    return this.replicate(true)
  }

  replicateNew(): Promise<boolean> {
    return this.replicate(false)
  }

  async sweep(): Promise<void> {
    const { rows, log } = this.options
    try {
      const removed = await this.blobs.sweep(Date.now() - UNREFERENCED_GRACE_MS, (hash) => rows.sizeOf(hash) !== null)
      // A row may have been committed during the removal; its file is fetched again.
      for (const hash of removed) await this.get(hash)
      if (removed.length > 0) log.info({ files: removed.length }, 'removed files without a row')
    } catch (error) {
      log.warn({ err: error }, 'cannot remove files without a row')
    }
  }

  async close(): Promise<void> {
    this.shutdown.abort()
    await this.replicator.close()
  }

  /** Runs in the background, so it logs errors instead of throwing. */
  private async replicate(shouldRetry: boolean): Promise<boolean> {
    try {
      return this.options.peers.isCandidate && (await this.replicator.replicate(shouldRetry))
    } catch (error) {
      this.options.log.warn({ err: error }, 'cannot replicate files of other regions')
      return false
    }
  }

  /** Null once the primary has the file. The primary may change during the push, more than once. */
  private async pushToPrimary(stored: BlobRef): Promise<Refusal | null> {
    const deadline = performance.now() + PRIMARY_WAIT_MS
    while (!this.shutdown.signal.aborted) {
      const leader = this.options.peers.leader()
      if (leader.is === 'self') return null
      const outcome = leader.is === 'other' ? await this.pushTo(leader.url, stored) : 'failed'
      if (outcome === 'stored') return null
      if (outcome === 'busy') return refuse('Busy')
      if (outcome === 'full') return refuse('StorageFull')
      if (performance.now() >= deadline) return refuse('RegionCut')
      await pause(RETRY_INTERVAL_MS)
    }
    return refuse('ShuttingDown')
  }

  private async pushTo(url: string, stored: BlobRef) {
    const local = await this.blobs.find(stored.hash)
    if (!local) throw new Error(`the file ${stored.hash} disappeared after it was stored`)
    try {
      return await pushFile(this.transferContext, url, { ...stored, ...local })
    } catch (error) {
      this.options.log.debug({ err: error, hash: stored.hash }, 'cannot push a file to the primary')
      return 'failed'
    }
  }

  /** Makes a file available locally. Concurrent calls for one hash share one pull. */
  private fetch({ hash, size }: BlobRef): Promise<FetchResult> {
    const activePull = this.activePulls.get(hash)
    if (activePull) return activePull
    const pull = this.pullIfMissing({ hash, size }).finally(() => this.activePulls.delete(hash))
    this.activePulls.set(hash, pull)
    return pull
  }

  private async pullIfMissing(file: BlobRef): Promise<FetchResult> {
    if (await this.blobs.find(file.hash)) return 'present'
    const pulled = await this.pullSemaphore.run(() => this.pull(file))
    return pulled instanceof Refusal ? 'unavailable' : pulled
  }

  /** Tries the primary first, then the other regions. */
  private async pull(file: BlobRef): Promise<FetchResult> {
    const leader = this.options.peers.leader()
    const urls = new Set([...(leader.is === 'other' ? [leader.url] : []), ...this.options.peers.otherUrls()])
    let found: FetchResult = 'unavailable'
    for (const url of urls) {
      const fetched = await this.pullFrom(url, file)
      if (fetched === 'present') return 'present'
      if (fetched === 'missing') found = 'missing'
    }
    return found
  }

  private async pullFrom(url: string, file: BlobRef): Promise<FetchResult> {
    const { log } = this.options
    let hasAnswered = false
    try {
      const stored = await fetchFile(this.transferContext, url, file.hash, async (chunks, size) => {
        hasAnswered = true
        return size === file.size ? this.blobs.put(chunks, file) : refuse('InvalidInput')
      })
      if (stored === null) return 'missing'
      if (!(stored instanceof Refusal)) return 'present'
      if (stored.body.code === 'Busy') return 'unavailable'
      log.warn({ hash: file.hash, region: url }, 'a region sent other bytes than requested')
      return 'missing'
    } catch (error) {
      log.debug({ err: error, hash: file.hash }, 'cannot pull a file')
      // A region that fails for this one file only must not block the other files.
      return hasAnswered ? 'missing' : 'unavailable'
    }
  }
}

/** Slices are small, so that hashing does not block the event loop. */
async function* sliceBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) yield bytes.subarray(from, from + SLICE_BYTES)
}
