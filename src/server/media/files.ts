import type { KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isFileHash, MOST_FILE_BYTES } from '../../shared/media/rules.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Leader } from '../regions/litefs.ts'
import { type Fetched, Filler } from './fill.ts'
import { FileFolder, type KeptFile, type StoredFile } from './folder.ts'
import { Gate } from './gate.ts'
import type { FileRows } from './queries.ts'
import { UNNAMED_KEPT_MS } from './sweep-files.ts'
import { bringFile, type Carriage, fetchFile } from './transfer.ts'

/** The site's files, for every feature: a feature keeps a file's hash, and knows nothing of where the file lies. */
export interface Files {
  /**
   * Keeps bytes, or a stream of them, and answers when the primary has them too. The same content again is the same file.
   * Refusals: TooLarge, InvalidInput (empty), Busy, RegionCut, or what writing its row was refused with.
   */
  put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<KeptFile | Refusal>
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
  receive(chunks: AsyncIterable<Uint8Array>, announced: KeptFile): Promise<KeptFile | Refusal | 'notPrimary'>
  /**
   * On a candidate: fetches every file that has a row and is not here, in small steps, trying again what could not be
   * had before; for the start and for every minute. Answers whether every file is here now, and never rejects.
   */
  fill(): Promise<boolean>
  /** The same for what is new; cheap where nothing is. For every transaction that comes in. */
  fillNew(): Promise<boolean>
  /** Takes away the files that lie here without a row, unless they came within the last day. Never rejects. */
  sweep(): Promise<void>
  /** The largest file, in bytes. */
  readonly mostBytes: number
  /** Ends what is under way between regions. */
  close(): Promise<void>
}

/** Who else has files. */
export interface Sources {
  /** Who is the primary; `url` is where its site is. On a plain file always this region. */
  leader(): Leader
  /** Where the sites of other regions are, as far as they are known. */
  others(): string[]
  /** Whether this region may become the primary, and so is to have every file. */
  isCandidate: boolean
}

export interface FilesOptions {
  /** `files` in the data folder. */
  folder: string
  /** Regions of one site have the same. */
  key: KeyObject
  sources: Sources
  rows: FileRows
  /** Writes the row: `execute('registerFile', null, file)`. */
  register: (file: KeptFile) => Promise<object>
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  mostBytes?: number
  mostWrites?: number
  mostWaiting?: number
}

const WRITES_AT_ONCE = 32
const WRITES_WAITING = 512
const PULLS_AT_ONCE = 16
const PULLS_WAITING = 256
/** A region that lets so long pass without a byte is given up. */
const STALL_MS = 10_000
/** While the primary changes a file waits for so long, as a command does, and tries this often. */
const HELD_MS = 2_000
const RETRY_MS = 100
const SLICE_BYTES = 256 * 1024

/** Opens the folder, clears away what a crash left, and answers the site's files. */
export async function openFiles(options: FilesOptions): Promise<FileStore> {
  const { mostBytes = MOST_FILE_BYTES, mostWrites = WRITES_AT_ONCE, mostWaiting = WRITES_WAITING } = options
  const folder = await FileFolder.open(options.folder, { mostBytes, mostWrites, mostWaiting, stallMs: STALL_MS })
  return new RegionFiles(folder, options, mostBytes)
}

class RegionFiles implements FileStore {
  readonly mostBytes: number
  private readonly folder: FileFolder
  private readonly options: FilesOptions
  private readonly carriage: Carriage
  private readonly filler: Filler
  private readonly ending = new AbortController()
  private readonly pulls = new Gate(PULLS_AT_ONCE, PULLS_WAITING)
  private readonly pulling = new Map<string, Promise<Fetched>>()

  constructor(folder: FileFolder, options: FilesOptions, mostBytes: number) {
    this.mostBytes = mostBytes
    this.folder = folder
    this.options = options
    this.carriage = { key: options.key, stallMs: STALL_MS, signal: this.ending.signal }
    this.filler = new Filler({ rows: options.rows, leader: options.sources.leader, fetch: (row) => this.fetch(row) })
  }

  async put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<KeptFile | Refusal> {
    const kept = await this.folder.keep(content instanceof Uint8Array ? slices(content) : content)
    if (kept instanceof Refusal) return kept
    const refusal = await this.bringToPrimary(kept)
    if (refusal) return refusal
    const registered = await this.options.register(kept)
    return registered instanceof Refusal ? registered : kept
  }

  async get(hash: string): Promise<StoredFile | null> {
    if (!isFileHash(hash)) return null
    const here = await this.folder.find(hash)
    if (here) return here
    // Else whoever makes up hashes would have every region ask every other one.
    const size = this.options.rows.sizeOf(hash)
    if (size === null) return null
    await this.fetch({ hash, size })
    return this.folder.find(hash)
  }

  async has(hash: string): Promise<boolean> {
    return (await this.folder.find(hash)) !== null
  }

  find(hash: string): Promise<StoredFile | null> {
    return this.folder.find(hash)
  }

  async receive(chunks: AsyncIterable<Uint8Array>, announced: KeptFile): Promise<KeptFile | Refusal | 'notPrimary'> {
    const isPrimary = () => this.options.sources.leader().is === 'self'
    if (!isPrimary()) return 'notPrimary'
    const kept = await this.folder.keep(chunks, announced)
    return kept instanceof Refusal || isPrimary() ? kept : 'notPrimary'
  }

  fill(): Promise<boolean> {
    return this.fillUp(true)
  }

  fillNew(): Promise<boolean> {
    return this.fillUp(false)
  }

  async sweep(): Promise<void> {
    const { rows, log } = this.options
    try {
      const removed = await this.folder.sweep(Date.now() - UNNAMED_KEPT_MS, (hash) => rows.sizeOf(hash) !== null)
      // Where a row has come just then, its file is fetched.
      for (const hash of removed) await this.get(hash)
      if (removed.length > 0) log.info({ files: removed.length }, 'files that nobody names any more were removed')
    } catch (error) {
      log.warn({ err: error }, 'files that nobody names any more could not be removed')
    }
  }

  async close(): Promise<void> {
    this.ending.abort()
    await this.filler.close()
  }

  /** Nobody waits for it, so nobody would catch what it throws. */
  private async fillUp(again: boolean): Promise<boolean> {
    try {
      return this.options.sources.isCandidate && (await this.filler.fill(again))
    } catch (error) {
      this.options.log.warn({ err: error }, 'files of other regions could not be looked through')
      return false
    }
  }

  /** Null when the primary has it. Who the primary is may change on the way, more than once. */
  private async bringToPrimary(kept: KeptFile): Promise<Refusal | null> {
    const givenUpAt = performance.now() + HELD_MS
    while (!this.ending.signal.aborted) {
      const leader = this.options.sources.leader()
      if (leader.is === 'self') return null
      const outcome = leader.is === 'other' ? await this.bring(leader.url, kept) : 'failed'
      if (outcome === 'kept') return null
      if (outcome === 'busy') return refuse('Busy')
      if (performance.now() >= givenUpAt) return refuse('RegionCut')
      await pause(RETRY_MS)
    }
    return refuse('ShuttingDown')
  }

  private async bring(base: string, kept: KeptFile) {
    const here = await this.folder.find(kept.hash)
    if (!here) throw new Error(`the file ${kept.hash} that was just kept is gone`)
    try {
      return await bringFile(this.carriage, base, { ...kept, ...here })
    } catch (error) {
      this.options.log.debug({ err: error, hash: kept.hash }, 'a file could not be brought to the primary')
      return 'failed'
    }
  }

  /** Sees to it that a file is here. Whoever asks meanwhile waits for the same pull. */
  private fetch({ hash, size }: KeptFile): Promise<Fetched> {
    const known = this.pulling.get(hash)
    if (known) return known
    const pull = this.pullUnlessHere({ hash, size }).finally(() => this.pulling.delete(hash))
    this.pulling.set(hash, pull)
    return pull
  }

  private async pullUnlessHere(file: KeptFile): Promise<Fetched> {
    if (await this.folder.find(file.hash)) return 'here'
    const pulled = await this.pulls.pass(() => this.pull(file))
    return pulled instanceof Refusal ? 'later' : pulled
  }

  /** From the primary, then from the others. */
  private async pull(file: KeptFile): Promise<Fetched> {
    const leader = this.options.sources.leader()
    const bases = new Set([...(leader.is === 'other' ? [leader.url] : []), ...this.options.sources.others()])
    let found: Fetched = 'later'
    for (const base of bases) {
      const fetched = await this.pullFrom(base, file)
      if (fetched === 'here') return 'here'
      if (fetched === 'nowhere') found = 'nowhere'
    }
    return found
  }

  private async pullFrom(base: string, file: KeptFile): Promise<Fetched> {
    const { log } = this.options
    let hasAnswered = false
    try {
      const kept = await fetchFile(this.carriage, base, file.hash, async (chunks, size) => {
        hasAnswered = true
        return size === file.size ? this.folder.keep(chunks, file) : refuse('InvalidInput')
      })
      if (kept === null) return 'nowhere'
      if (!(kept instanceof Refusal)) return 'here'
      if (kept.body.code === 'Busy') return 'later'
      log.warn({ hash: file.hash, region: base }, 'a region sent other bytes than it was asked for')
      return 'nowhere'
    } catch (error) {
      log.debug({ err: error, hash: file.hash }, 'a file could not be pulled')
      // A region that is there and cannot give this one file must not hold up the others.
      return hasAnswered ? 'nowhere' : 'later'
    }
  }
}

/** Small enough that hashing one holds nobody up. */
async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) yield bytes.subarray(from, from + SLICE_BYTES)
}
