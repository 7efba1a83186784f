import type { KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isFileHash, MAX_FILE_BYTES } from '../../shared/media/rules.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { Semaphore } from '../limits/semaphore.ts'
import type { Leader } from '../regions/litefs/litefs-client.ts'
import { type BlobRef, BlobStore, type StoredFile } from './blob-store.ts'
import { type FetchResult, FileReplicator } from './file-replicator.ts'
import type { FileRows } from './queries.ts'
import { UNREFERENCED_GRACE_MS } from './sweep-files.ts'
import { fetchFile, pushFile, type TransferContext } from './transfer.ts'

/** The site's files, for every feature: a feature keeps a file's hash, and knows nothing of where the file lies. */
export interface Files {
  /**
   * Keeps bytes, or a stream of them, and answers when the primary has them too. The same content again is the same file.
   * Refusals: TooLarge, InvalidInput (empty), Busy, RegionCut, or what writing its row was refused with.
   */
  put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<BlobRef | Refusal>
  /** Where the file lies, after it was pulled through if need be; null where there is none or nobody can give it now. */
  get(hash: string): Promise<StoredFile | null>
  /** Whether the file is in this region already. */
  has(hash: string): Promise<boolean>
}

/** The same, with what the region and its link need. */
export interface FileStore extends Files {
  /** The file as it lies here, without asking anybody; null where it is not. */
  find(hash: string): Promise<StoredFile | null>
  /** Takes what another region brings; `notPrimary` when that is not for this region to keep. Throws as a folder does. */
  receive(chunks: AsyncIterable<Uint8Array>, announced: BlobRef): Promise<BlobRef | Refusal | 'notPrimary'>
  /**
   * On a candidate: fetches every file that has a row and is not here, in small steps, trying again what could not be
   * had before; for the start and for every minute. Answers whether every file is here now, and never rejects.
   */
  replicateAll(): Promise<boolean>
  /** The same for what is new; cheap where nothing is. For every transaction that comes in. */
  replicateNew(): Promise<boolean>
  /** Takes away the files that lie here without a row, unless they came within the last day. Never rejects. */
  sweep(): Promise<void>
  /** The largest file, in bytes. */
  readonly maxBytes: number
  /** Ends what is under way between regions. */
  close(): Promise<void>
}

/** Who else has files. */
export interface FilePeers {
  /** Who is the primary; `url` is where its site is. On a plain file always this region. */
  leader(): Leader
  /** Where the sites of other regions are, as far as they are known. */
  otherUrls(): string[]
  /** Whether this region may become the primary, and so is to have every file. */
  isCandidate: boolean
}

export interface FileStoreOptions {
  /** `files` in the data folder. */
  folder: string
  /** Regions of one site have the same. */
  key: KeyObject
  peers: FilePeers
  rows: FileRows
  /** Writes the row: `registerFile` of this feature. */
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
/** A region that lets so long pass without a byte is given up. */
const STALL_TIMEOUT_MS = 10_000
/** While the primary changes a file waits for so long, as a command does, and tries this often. */
const PRIMARY_WAIT_MS = 2_000
const RETRY_INTERVAL_MS = 100
const SLICE_BYTES = 256 * 1024

/** Opens the folder, clears away what a crash left, and answers the site's files. */
export async function openFileStore(options: FileStoreOptions): Promise<FileStore> {
  const {
    maxBytes = MAX_FILE_BYTES,
    maxConcurrentWrites = MAX_CONCURRENT_WRITES,
    maxQueuedWrites = MAX_QUEUED_WRITES,
  } = options
  const folder = await BlobStore.open(options.folder, {
    maxBytes: maxBytes,
    maxConcurrentWrites: maxConcurrentWrites,
    maxQueuedWrites: maxQueuedWrites,
    stallMs: STALL_TIMEOUT_MS,
  })
  return new ReplicatedFileStore(folder, options, maxBytes)
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

  constructor(folder: BlobStore, options: FileStoreOptions, mostBytes: number) {
    this.maxBytes = mostBytes
    this.blobs = folder
    this.options = options
    this.transferContext = { key: options.key, stallMs: STALL_TIMEOUT_MS, signal: this.shutdown.signal }
    this.replicator = new FileReplicator({
      rows: options.rows,
      leader: options.peers.leader,
      ensureLocal: (row) => this.fetch(row),
    })
  }

  async put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<BlobRef | Refusal> {
    const kept = await this.blobs.put(content instanceof Uint8Array ? sliceBytes(content) : content)
    if (kept instanceof Refusal) return kept
    const refusal = await this.pushToPrimary(kept)
    if (refusal) return refusal
    const registered = await this.options.register(kept)
    return registered instanceof Refusal ? registered : kept
  }

  async get(hash: string): Promise<StoredFile | null> {
    if (!isFileHash(hash)) return null
    const here = await this.blobs.find(hash)
    if (here) return here
    // Else whoever makes up hashes would have every region ask every other one.
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
    const kept = await this.blobs.put(chunks, announced)
    return kept instanceof Refusal || isPrimary() ? kept : 'notPrimary'
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
      // Where a row has come just then, its file is fetched.
      for (const hash of removed) await this.get(hash)
      if (removed.length > 0) log.info({ files: removed.length }, 'files that nobody names any more were removed')
    } catch (error) {
      log.warn({ err: error }, 'files that nobody names any more could not be removed')
    }
  }

  async close(): Promise<void> {
    this.shutdown.abort()
    await this.replicator.close()
  }

  /** Nobody waits for it, so nobody would catch what it throws. */
  private async replicate(again: boolean): Promise<boolean> {
    try {
      return this.options.peers.isCandidate && (await this.replicator.replicate(again))
    } catch (error) {
      this.options.log.warn({ err: error }, 'files of other regions could not be looked through')
      return false
    }
  }

  /** Null when the primary has it. Who the primary is may change on the way, more than once. */
  private async pushToPrimary(kept: BlobRef): Promise<Refusal | null> {
    const givenUpAt = performance.now() + PRIMARY_WAIT_MS
    while (!this.shutdown.signal.aborted) {
      const leader = this.options.peers.leader()
      if (leader.is === 'self') return null
      const outcome = leader.is === 'other' ? await this.pushTo(leader.url, kept) : 'failed'
      if (outcome === 'stored') return null
      if (outcome === 'busy') return refuse('Busy')
      if (performance.now() >= givenUpAt) return refuse('RegionCut')
      await pause(RETRY_INTERVAL_MS)
    }
    return refuse('ShuttingDown')
  }

  private async pushTo(base: string, kept: BlobRef) {
    const here = await this.blobs.find(kept.hash)
    if (!here) throw new Error(`the file ${kept.hash} that was just kept is gone`)
    try {
      return await pushFile(this.transferContext, base, { ...kept, ...here })
    } catch (error) {
      this.options.log.debug({ err: error, hash: kept.hash }, 'a file could not be brought to the primary')
      return 'failed'
    }
  }

  /** Sees to it that a file is here. Whoever asks meanwhile waits for the same pull. */
  private fetch({ hash, size }: BlobRef): Promise<FetchResult> {
    const known = this.activePulls.get(hash)
    if (known) return known
    const pull = this.pullIfMissing({ hash, size }).finally(() => this.activePulls.delete(hash))
    this.activePulls.set(hash, pull)
    return pull
  }

  private async pullIfMissing(file: BlobRef): Promise<FetchResult> {
    if (await this.blobs.find(file.hash)) return 'present'
    const pulled = await this.pullSemaphore.run(() => this.pull(file))
    return pulled instanceof Refusal ? 'unavailable' : pulled
  }

  /** From the primary, then from the others. */
  private async pull(file: BlobRef): Promise<FetchResult> {
    const leader = this.options.peers.leader()
    const bases = new Set([...(leader.is === 'other' ? [leader.url] : []), ...this.options.peers.otherUrls()])
    let found: FetchResult = 'unavailable'
    for (const base of bases) {
      const fetched = await this.pullFrom(base, file)
      if (fetched === 'present') return 'present'
      if (fetched === 'missing') found = 'missing'
    }
    return found
  }

  private async pullFrom(base: string, file: BlobRef): Promise<FetchResult> {
    const { log } = this.options
    let hasAnswered = false
    try {
      const kept = await fetchFile(this.transferContext, base, file.hash, async (chunks, size) => {
        hasAnswered = true
        return size === file.size ? this.blobs.put(chunks, file) : refuse('InvalidInput')
      })
      if (kept === null) return 'missing'
      if (!(kept instanceof Refusal)) return 'present'
      if (kept.body.code === 'Busy') return 'unavailable'
      log.warn({ hash: file.hash, region: base }, 'a region sent other bytes than it was asked for')
      return 'missing'
    } catch (error) {
      log.debug({ err: error, hash: file.hash }, 'a file could not be pulled')
      // A region that is there and cannot give this one file must not hold up the others.
      return hasAnswered ? 'missing' : 'unavailable'
    }
  }
}

/** Small enough that hashing one holds nobody up. */
async function* sliceBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) yield bytes.subarray(from, from + SLICE_BYTES)
}
