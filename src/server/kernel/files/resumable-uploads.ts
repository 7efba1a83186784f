import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { UPLOAD_LIFETIME_MS, UploadId } from '../../../shared/media/resumable-uploads.ts'
import { Count, Time } from '../../../shared/protocol/define.ts'
import { SessionId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { UploadLimits } from '../config.ts'
import { extendDeadline, firstDeadline, TOO_SLOW_MESSAGE } from '../limits/minimum-rate.ts'
import { StallError, withStallTimeout } from '../limits/stall-timeout.ts'
import { isOutOfSpace, type StoredFile } from './blob-store.ts'
import { FileAppender } from './file-appender.ts'
import { type BudgetedUpload, planRoom, type UploadOwner } from './upload-budget.ts'

const DISK_FULL = 'Sunucuda bu dosyaya yer kalmadı. Lütfen daha sonra tekrar dene.'
/** A feature that has stored the file may ask for it again, when its answer was lost, for this long. */
const SPENT_LIFETIME_MS = 10 * 60_000

/** What is written beside the bytes, for the next start. */
const UploadRecord = v.object({
  id: UploadId,
  userId: UserId,
  sessionId: SessionId,
  address: v.nullable(v.string()),
  sizeBytes: Count,
  createdAt: Time,
})

/** An upload that has begun. It is finished when `offset` is `sizeBytes`. */
export interface Upload extends v.InferOutput<typeof UploadRecord>, BudgetedUpload {
  /** Bytes that are stored. */
  offset: number
}

/** A part of an upload that arrives. */
export interface UploadPart {
  /** Where it begins. */
  offset: number
  chunks: AsyncIterable<Uint8Array>
  /** Ends `chunks` with an error. */
  cut(): void
  /** Whether `chunks` themselves end when they are too slow. */
  isTimed?: boolean
}

export interface ResumableUploadsOptions {
  /** A folder of its own in the data folder. */
  folder: string
  limits: UploadLimits
  /** Epoch milliseconds. */
  clock: () => number
  /** The refusal of further bytes; null while the disk has space for them. */
  checkSpace?: () => Refusal | null
}

/**
 * Uploads of this region that go on after a cut: each is a file, with its owner beside it, until a feature has stored it.
 * Only its user finds it. Room is counted as if every upload were whole.
 */
export class ResumableUploads {
  private readonly options: ResumableUploadsOptions
  private readonly uploads = new Map<string, Upload>()
  /** The parts that arrive, by the id of their upload. */
  private readonly parts = new Map<string, { cut(): void; ended: Promise<void> }>()
  /** How many requests read each upload. */
  private readonly readers = new Map<string, number>()

  private constructor(options: ResumableUploadsOptions) {
    this.options = options
  }

  /** Creates the folder if it is missing. Uploads of the process before go on; everything else in it is removed. */
  static async open(options: ResumableUploadsOptions): Promise<ResumableUploads> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 })
    const uploads = new ResumableUploads(options)
    const names = await readdir(options.folder)
    for (const name of names) if (name.endsWith('.json')) await uploads.restore(name)
    const isKnown = (name: string) => uploads.uploads.has(name.replace(/\.json$/, ''))
    for (const name of names) if (!isKnown(name)) await rm(join(options.folder, name), { recursive: true, force: true })
    return uploads
  }

  /** Begins an upload of `sizeBytes`. Refuses with Busy without room, and with StorageFull on a disk that is nearly full. */
  async create(owner: UploadOwner, sizeBytes: number): Promise<Upload | Refusal> {
    const { limits, clock, checkSpace } = this.options
    const refusal = checkSpace?.()
    if (refusal) return refusal
    const now = clock()
    const surplus = planRoom([...this.uploads.values()], { ...owner, sizeBytes }, limits, now)
    if (!surplus) return refuse('Busy')
    const { userId, sessionId, address } = owner
    const record = { id: randomBytes(16).toString('hex'), userId, sessionId, address, sizeBytes, createdAt: now }
    const upload = { ...record, offset: 0, lastByteAt: now, isInUse: false, isSpent: false }
    this.uploads.set(record.id, upload)
    await Promise.all(surplus.map((other) => this.remove(other)))
    try {
      await writeFile(this.pathOf(record.id), '', { flag: 'wx', mode: 0o600 })
      await writeFile(`${this.pathOf(record.id)}.json`, JSON.stringify(record), { flag: 'wx', mode: 0o600 })
      if (this.uploads.has(record.id)) return upload
      // Its session has ended meanwhile.
      await this.remove(upload)
      return refuse('SessionEnded')
    } catch (error) {
      await this.remove(upload)
      if (isOutOfSpace(error)) return refuse('Busy', { message: DISK_FULL })
      throw error
    }
  }

  /** The user's upload; null if it is unknown here, has expired or is of another user. */
  find(id: string, userId: UserId): Upload | null {
    const upload = this.uploads.get(id)
    return upload?.userId === userId && !this.isExpired(upload) ? upload : null
  }

  /** Waits until the upload has all bytes that have arrived: a part whose connection is gone may not know it yet. */
  async settle({ id }: Upload): Promise<void> {
    for (let part = this.parts.get(id); part; part = this.parts.get(id)) {
      part.cut()
      await part.ended
    }
  }

  /**
   * Stores a part; one that still arrives is cut. What has arrived is kept when the part is cut or too slow. Refusals:
   * NotFound, UploadOffsetWrong, TooLarge, StorageFull, and Busy when it is too slow or the disk is full, which removes the upload.
   * Throws what `chunks` throws.
   */
  async append(upload: Upload, { offset, chunks, cut, isTimed = false }: UploadPart): Promise<Refusal | null> {
    // Not `settle`: nothing may come between its end and the next lines.
    for (let other = this.parts.get(upload.id); other; other = this.parts.get(upload.id)) {
      other.cut()
      await other.ended
    }
    if (this.uploads.get(upload.id) !== upload) return refuse('NotFound')
    if (upload.offset !== offset) return refuse('UploadOffsetWrong')
    const refusal = this.options.checkSpace?.()
    if (refusal) return refusal
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    this.parts.set(upload.id, { cut, ended })
    this.updateUse(upload)
    try {
      return await this.receive(upload, chunks, isTimed)
    } catch (error) {
      if (error instanceof StallError) return refuse('Busy', { message: TOO_SLOW_MESSAGE })
      if (!isOutOfSpace(error)) throw error
      this.parts.delete(upload.id) // so that this request is answered
      await this.remove(upload)
      return refuse('Busy', { message: DISK_FULL })
    } finally {
      this.parts.delete(upload.id)
      this.updateUse(upload)
      resolve()
    }
  }

  /**
   * Runs `read` with the file of a finished upload; it stays until then. Without a refusal the upload is spent: it goes
   * first when room is needed. Refuses with MediaNotFound.
   */
  async use<T>(id: string, userId: UserId, read: (file: StoredFile) => Promise<T | Refusal>): Promise<T | Refusal> {
    const upload = this.find(id, userId)
    if (!upload || upload.offset < upload.sizeBytes) return refuse('MediaNotFound', { path: 'uploadId' })
    this.addReader(upload, 1)
    try {
      const result = await read({ path: this.pathOf(id), size: upload.sizeBytes })
      if (!(result instanceof Refusal)) this.markSpent(upload)
      return result
    } finally {
      this.addReader(upload, -1)
      const isRemoved = this.uploads.get(id) !== upload
      if (isRemoved && !this.readers.has(id)) await this.deleteFiles(id)
    }
  }

  /** What has arrived is the whole file: its size was not known before. */
  finish(upload: Upload): void {
    upload.sizeBytes = upload.offset
  }

  /** Removes an upload; a part that arrives is cut, and a file that is read is deleted after that. */
  async remove({ id }: Upload): Promise<void> {
    this.uploads.delete(id)
    this.parts.get(id)?.cut()
    if (!this.readers.has(id)) await this.deleteFiles(id)
  }

  /** Removes expired uploads, and those whose session has ended. */
  async sweep(isSignedIn: (owner: UploadOwner) => boolean): Promise<void> {
    for (const upload of [...this.uploads.values()]) {
      if (this.isExpired(upload) || !isSignedIn(upload)) await this.remove(upload)
    }
  }

  /** Removes the uploads of a session that has ended: by sign-out, ban or the end of the account. */
  async removeOfSession(sessionId: SessionId): Promise<void> {
    await this.sweep((owner) => owner.sessionId !== sessionId)
  }

  /** The session that owns uploads has another id. */
  moveToSession(from: SessionId, to: SessionId): void {
    for (const upload of this.uploads.values()) if (upload.sessionId === from) upload.sessionId = to
  }

  private async restore(name: string): Promise<void> {
    const path = join(this.options.folder, name)
    const text = await readFile(path, 'utf8')
    const record = v.safeParse(v.pipe(v.string(), v.parseJson(), UploadRecord), text)
    if (!record.success || `${record.output.id}.json` !== name) return
    const bytes = await stat(this.pathOf(record.output.id)).catch(() => null)
    const { sizeBytes } = record.output
    if (!bytes?.isFile() || bytes.size > sizeBytes) return
    const upload = { ...record.output, offset: bytes.size, lastByteAt: bytes.mtimeMs, isInUse: false, isSpent: false }
    if (!this.isExpired(upload)) this.uploads.set(upload.id, upload)
  }

  /** Writes the chunks to the end of the file, and counts them as they are written. */
  private async receive(upload: Upload, chunks: AsyncIterable<Uint8Array>, isTimed: boolean): Promise<Refusal | null> {
    const { clock } = this.options
    const file = new FileAppender(await open(this.pathOf(upload.id), 'r+'), upload.offset, (offset) => {
      upload.offset = offset
      upload.lastByteAt = clock()
    })
    let deadlineMs = firstDeadline(performance.now())
    const remainingMs = () => deadlineMs - performance.now()
    try {
      for await (const chunk of isTimed ? chunks : withStallTimeout(remainingMs, chunks)) {
        if (!isTimed && remainingMs() < 0) throw new StallError(TOO_SLOW_MESSAGE)
        if (file.end + chunk.byteLength > upload.sizeBytes) return refuse('TooLarge')
        deadlineMs = extendDeadline(deadlineMs, chunk.byteLength, performance.now())
        await file.append(chunk)
      }
      return null
    } finally {
      await file.close()
    }
  }

  private isExpired({ createdAt }: Upload): boolean {
    const age = this.options.clock() - createdAt
    return age >= UPLOAD_LIFETIME_MS
  }

  /** It expires soon: only a request whose answer was lost comes again. */
  private markSpent(upload: Upload): void {
    upload.isSpent = true
    upload.createdAt = Math.min(upload.createdAt, this.options.clock() - UPLOAD_LIFETIME_MS + SPENT_LIFETIME_MS)
  }

  private addReader(upload: Upload, change: 1 | -1): void {
    const readers = (this.readers.get(upload.id) ?? 0) + change
    if (readers > 0) this.readers.set(upload.id, readers)
    else this.readers.delete(upload.id)
    this.updateUse(upload)
  }

  private updateUse(upload: Upload): void {
    upload.isInUse = this.parts.has(upload.id) || this.readers.has(upload.id)
  }

  private async deleteFiles(id: string): Promise<void> {
    const path = this.pathOf(id)
    await Promise.all([rm(path, { force: true }), rm(`${path}.json`, { force: true })])
  }

  private pathOf(id: string): string {
    return join(this.options.folder, id)
  }
}
