import type { MediaType } from '../../../../shared/media/media.ts'
import { AUDIO_UPLOAD_FAILED, MEDIA_UPLOAD_FAILED } from '../../../../shared/media/rules.ts'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { Refusal, type RefusalCode } from '../../../../shared/protocol/refusals.ts'
import { isFailure, type Result } from '../../../../shared/protocol/result.ts'
import { TEMPORARY_REFUSALS } from '../../../core/live/outbox.ts'
import type { Environment } from '../../../core/platform/environment.ts'
import { type ReadonlySignal, signal } from '../../../core/signals/signal.ts'
import type { FileStorage, StoredFile } from '../../media/upload/file-storage.ts'
import type { OutgoingFile } from '../../media/upload/outgoing-file.ts'
import type { UploadFile, UploadTarget } from '../../media/upload/upload-file.ts'
import type { BubbleMedia, MediaUpload } from '../store/message-types.ts'

/** Bytes of unsent files that a browser stores. */
export const MAX_STORED_BYTES = 200 * 1024 * 1024
/** A file whose tab was closed is deleted after this. */
export const MAX_STORED_MS = 3 * 24 * 60 * 60_000
const STORAGE_FULL = 'Cihazında bu dosyaya yer yok. Gönderilmeyi bekleyen dosyalar bitince tekrar dene.'
/** Uploads of one file that got no answer although the live connection was there. */
const MAX_FAILED_UPLOADS = 6
/** Progress is shown at most once in this time: a frame of most screens. */
const FRAME_MS = 16
/** The thread may still show the local file of a message that was just sent. */
const REVOKE_URLS_AFTER_MS = 30_000

/** Refusals whose text is shown, or after which the outbox tries again. Any other is an upload error. */
const EXPLAINED_REFUSALS: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  ...TEMPORARY_REFUSALS,
  'TooLarge',
  'UnsupportedMediaType',
  'ContactRefused',
  'RoomWriteRefused',
  'RoomNotFound',
  'RoomFull',
])

/** What the files of unsent messages need of the tab. */
interface OutgoingFilesPlatform {
  environment: Pick<Environment, 'setTimer' | 'now'>
  live: { isConnected(): boolean }
  /** False when the browser knows that it has no network; the live connection may not have noticed yet. */
  isOnline(): boolean
  storage: FileStorage
  /** Reads the details of a file that the viewer has picked. */
  prepare(file: File, mediaType: MediaType): Promise<OutgoingFile>
  upload: UploadFile
  /** Deletes an upload of a file on the server. */
  discardUpload(uploadId: string): void
  /** Whose files the tab stores. */
  owner(): { userId: UserId | null; tabId: string }
  createUrl(blob: Blob): string
  revokeUrl(url: string): void
}

/** The files of unsent messages, by the clientId of the message: stored on the device until they are sent or discarded. */
export class OutgoingFiles {
  private readonly platform: OutgoingFilesPlatform
  private readonly shown = signal<ReadonlyMap<string, BubbleMedia>>(new Map())
  private readonly uploads = new Map<string, AbortController>()
  private readonly failedUploads = new Map<string, number>()
  private restoring: Promise<void> | null = null
  /** Progress that the next frame shows. */
  private progress: { key: string; upload: MediaUpload } | null = null

  constructor(platform: OutgoingFilesPlatform) {
    this.platform = platform
  }

  /** The files as the thread shows them. Their URLs are local, and end with the message. */
  get media(): ReadonlySignal<ReadonlyMap<string, BubbleMedia>> {
    return this.shown
  }

  /** Stores a file. Refuses, and keeps nothing, when the device has no room. */
  async add(key: string, file: OutgoingFile): Promise<Refusal | null> {
    const { storage, owner, environment } = this.platform
    const stored = { key, ...owner(), storedAt: environment.now(), file }
    try {
      const storedBytes = (await storage.list()).reduce((sum, other) => sum + bytesOf(other.file), 0)
      if (storedBytes + bytesOf(file) > MAX_STORED_BYTES) return storageFull()
      await storage.put(stored)
    } catch {
      return storageFull()
    }
    this.show(stored)
    return null
  }

  /** Stores a file that the viewer has picked, with its details. */
  async addPicked(key: string, file: File, mediaType: MediaType): Promise<Refusal | null> {
    return this.add(key, await this.platform.prepare(file, mediaType))
  }

  /**
   * Shows the files of restored messages, and deletes what no message needs any more: another user's files, this tab's
   * own without a message, and those of tabs that were closed long ago. Further calls await the first.
   */
  restore(keys: ReadonlySet<string>): Promise<void> {
    this.restoring ??= this.restoreStored(keys)
    return this.restoring
  }

  /**
   * Uploads a stored file, or what the server does not have of it. Resolves with the id of the upload, with a refusal for the outbox, or with
   * `disconnected`: it was cancelled, or the connection is lost.
   */
  async upload(key: string, target: UploadTarget): Promise<Result<number>> {
    const abort = new AbortController()
    this.uploads.set(key, abort)
    const result = await this.uploadStored(key, target, abort.signal)
    this.uploads.delete(key)
    return result
  }

  /** Ends the upload of a file and deletes it: its message was sent or discarded. */
  drop(key: string): void {
    this.failedUploads.delete(key)
    this.deleteStored(key)
    const media = this.shown.peek().get(key)
    if (!media) return
    this.replace(key, null)
    const { environment, revokeUrl } = this.platform
    environment.setTimer(REVOKE_URLS_AFTER_MS, () => urlsOf(media).forEach(revokeUrl))
  }

  /** Deletes all files of this browser: the session has ended. */
  clear(): void {
    for (const key of this.shown.peek().keys()) this.drop(key)
    this.platform.storage.clear().catch(() => {})
  }

  private async uploadStored(key: string, target: UploadTarget, signal: AbortSignal): Promise<Result<number>> {
    const stored = await this.platform.storage.find(key).catch(() => undefined)
    if (signal.aborted) return 'disconnected'
    if (!stored) return uploadFailed('image')
    this.setUpload(key, { ...waiting(stored.file), state: 'uploading' })
    const onProgress = (sentBytes: number): void => this.onProgress(stored, sentBytes)
    const onUploadId = (uploadId: string): void => void this.platform.storage.setUploadId(key, uploadId).catch(() => {})
    const call = { key, target, signal, onProgress, uploadId: stored.uploadId ?? null, onUploadId }
    const outcome = await this.platform.upload(stored.file, call)
    if (signal.aborted) return 'disconnected'
    this.setUpload(key, isFailure(outcome) ? waiting(stored.file) : null)
    if (typeof outcome === 'string') return this.onNoAnswer(stored)
    this.failedUploads.delete(key)
    if (!(outcome instanceof Refusal)) return outcome.mediaId
    return EXPLAINED_REFUSALS.has(outcome.body.code) ? outcome : uploadFailed(stored.file.mediaType)
  }

  /** Deletes a file here and on the server, which would keep it until tomorrow. */
  private deleteStored(key: string): void {
    const { storage, discardUpload } = this.platform
    const running = this.uploads.get(key)
    // A running upload deletes its own.
    running?.abort()
    const stored = running ? Promise.resolve(undefined) : storage.find(key)
    stored.then((found) => found?.uploadId && discardUpload(found.uploadId)).catch(() => {})
    storage.delete(key).catch(() => {})
  }

  private async restoreStored(keys: ReadonlySet<string>): Promise<void> {
    const { storage, owner, environment } = this.platform
    const { userId, tabId } = owner()
    for (const stored of await storage.list().catch(() => [])) {
      const isStale = stored.tabId === tabId || environment.now() - stored.storedAt > MAX_STORED_MS
      if (this.shown.peek().has(stored.key)) continue
      if (stored.userId === userId && keys.has(stored.key)) this.show(stored)
      else if (stored.userId !== userId || isStale) void storage.delete(stored.key).catch(() => {})
    }
  }

  private show({ key, file }: StoredFile): void {
    const { createUrl } = this.platform
    const { blob, poster, mediaType, width, height, durationMs, waveform } = file
    const originalPath = createUrl(blob)
    const thumbnailPath = mediaType === 'image' ? originalPath : poster && createUrl(poster)
    const details = {
      width,
      height,
      durationMs,
      waveform: waveform && [...waveform],
    }
    this.replace(key, { mediaType, originalPath, thumbnailPath, ...details, blur: null, upload: waiting(file) })
  }

  private onProgress({ key, file }: StoredFile, sentBytes: number): void {
    // The form has a few bytes more than the file.
    const totalBytes = bytesOf(file)
    const isScheduled = this.progress !== null
    this.progress = { key, upload: { state: 'uploading', sentBytes: Math.min(sentBytes, totalBytes), totalBytes } }
    if (isScheduled) return
    this.platform.environment.setTimer(FRAME_MS, () => {
      const { progress } = this
      this.progress = null
      if (progress && this.uploads.has(progress.key)) this.setUpload(progress.key, progress.upload)
    })
  }

  private onNoAnswer({ key, file }: StoredFile): Refusal | 'disconnected' {
    if (!this.platform.live.isConnected()) return 'disconnected'
    const refusal = uploadFailed(file.mediaType)
    const failed = (this.failedUploads.get(key) ?? 0) + (this.platform.isOnline() ? 1 : 0)
    this.failedUploads.set(key, failed % MAX_FAILED_UPLOADS)
    return failed < MAX_FAILED_UPLOADS ? new Refusal({ ...refusal.body, code: 'Busy' }) : refusal
  }

  private setUpload(key: string, upload: MediaUpload | null): void {
    const shown = this.shown.peek().get(key)
    if (!shown) return
    const { upload: _, ...media } = shown
    this.replace(key, upload ? { ...media, upload } : media)
  }

  private replace(key: string, media: BubbleMedia | null): void {
    const shown = new Map(this.shown.peek())
    if (media) shown.set(key, media)
    else shown.delete(key)
    this.shown.value = shown
  }
}

function waiting(file: OutgoingFile): MediaUpload {
  return { state: 'waiting', sentBytes: 0, totalBytes: bytesOf(file) }
}

function bytesOf({ blob, poster }: OutgoingFile): number {
  return blob.size + (poster?.size ?? 0)
}

function urlsOf({ originalPath, thumbnailPath }: BubbleMedia): ReadonlySet<string> {
  return new Set([originalPath, ...(thumbnailPath ? [thumbnailPath] : [])])
}

function storageFull(): Refusal {
  return new Refusal({ code: 'TooLarge', message: STORAGE_FULL })
}

function uploadFailed(mediaType: MediaType): Refusal {
  return new Refusal({ code: 'Failed', message: mediaType === 'audio' ? AUDIO_UPLOAD_FAILED : MEDIA_UPLOAD_FAILED })
}
