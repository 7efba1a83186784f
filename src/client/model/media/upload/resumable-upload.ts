import { TUS_VERSION, UPLOAD_PART_TYPE, UPLOADS_PATH } from '../../../../shared/media/resumable-uploads.ts'
import { MAX_FILE_BYTES } from '../../../../shared/media/rules.ts'
import { Refusal, type RefusalBody, type RefusalCode } from '../../../../shared/protocol/refusals.ts'
import type { Result } from '../../../../shared/protocol/result.ts'
import { type HttpAnswer, type SendWithProgress, sendWithProgress } from '../../../core/http/send-with-progress.ts'
import { session } from '../../../core/session/session.ts'

export interface ResumableCall {
  /** Aborting cancels the upload, and deletes it on the server. */
  signal: AbortSignal
  /** Called with the bytes that the server has or gets, which may become fewer after a cut. */
  onProgress(sentBytes: number): void
  /** The upload of this file that began before a reload. */
  uploadId?: string | null
  /** Called with the id of a new upload, for a reload. */
  onUploadId?(uploadId: string): void
  /**
   * Whether to wait for the network, and for a server that refuses for the moment: true by default. Without, the caller
   * gets `disconnected` after a few cuts, or the refusal, and calls again with the `uploadId`.
   */
  isPatient?: boolean
}

/** `disconnected`: cancelled, or cut again and again. */
type ResumableOutcome = Result<{ uploadId: string }>

/** What an upload takes from the browser. */
export interface UploadPlatform {
  send: SendWithProgress
  isOnline(): boolean
  /** Resolves after this time, when the network returns, or at an abort. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  discard(uploadId: string): void
}

/** What a cut costs at most where a proxy collects bodies. */
export const UPLOAD_CHUNK_BYTES = 8 * 1024 * 1024
/** Requests in a row that bring no byte further; without patience, and with. */
const MAX_FAILURES = { impatient: 2, patient: 8 }
const MAX_WAIT_MS = 30_000
const TEMPORARY: ReadonlySet<RefusalCode> = new Set([
  'Busy',
  'Maintenance',
  'RegionCut',
  'ShuttingDown',
  'RateLimited',
] as const)

/**
 * Uploads a file in parts (tus 1.0) and goes on after a cut from the bytes that the server has. Resolves with the id that
 * a form sends as `uploadId` in place of the file.
 */
export function uploadResumable(
  file: Blob,
  call: ResumableCall,
  platform: UploadPlatform = browserPlatform,
): Promise<ResumableOutcome> {
  return new ResumableUpload(file, call, platform).run()
}

/** Deletes an upload on the server; should it fail, the server does so in a day. */
export function discardUpload(uploadId: string): void {
  const token = session.token()
  if (!token) return
  const headers = { Authorization: `Bearer ${token}`, 'Tus-Resumable': TUS_VERSION }
  fetch(`${UPLOADS_PATH}/${uploadId}`, { method: 'DELETE', headers, keepalive: true }).catch(() => {})
}

const browserPlatform: UploadPlatform = {
  send: sendWithProgress,
  isOnline: () => navigator.onLine,
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const settled = new AbortController()
      const end = (): void => {
        settled.abort()
        resolve()
      }
      const timer = setTimeout(end, ms)
      settled.signal.addEventListener('abort', () => clearTimeout(timer))
      addEventListener('online', end, { signal: settled.signal })
      signal.addEventListener('abort', end, { signal: settled.signal })
    }),
  discard: discardUpload,
}

/** `moved`: the server has more bytes; `known`: where to go on; `cut`: there was no answer, or another than expected. */
type Step = 'moved' | 'known' | 'finished' | 'cut' | Refusal

class ResumableUpload {
  private readonly file: Blob
  private readonly call: ResumableCall
  private readonly platform: UploadPlatform
  private uploadId: string | null
  /** Bytes that the server has; null when it must be asked. */
  private offset: number | null = null
  /** The most that the server had. */
  private maxOffset = 0
  private failures = 0

  constructor(file: Blob, call: ResumableCall, platform: UploadPlatform) {
    this.file = file
    this.call = call
    this.platform = platform
    this.uploadId = call.uploadId ?? null
  }

  async run(): Promise<ResumableOutcome> {
    const { signal } = this.call
    while (!signal.aborted) {
      const step = await this.next()
      if (signal.aborted) break
      if (step === 'finished' && this.uploadId) return { uploadId: this.uploadId }
      if (step === 'moved') this.failures = 0
      else if (step !== 'known' && !(await this.waitAfter(step))) return step instanceof Refusal ? step : 'disconnected'
    }
    if (this.uploadId) this.platform.discard(this.uploadId)
    return 'disconnected'
  }

  /** Waits before the next try; false when there is none. */
  private async waitAfter(step: Step): Promise<boolean> {
    const { isPatient = true, signal } = this.call
    const isRefused = step instanceof Refusal
    if (isRefused && !(isPatient && TEMPORARY.has(step.body.code))) return false
    this.offset = null
    if (!isPatient || this.platform.isOnline()) this.failures++
    if (this.failures > (isPatient ? MAX_FAILURES.patient : MAX_FAILURES.impatient)) return false
    const backoffMs = Math.min(1000 * 2 ** Math.max(0, this.failures - 1), MAX_WAIT_MS)
    await this.platform.wait(Math.max(backoffMs, (isRefused && step.body.waitMs) || 0), signal)
    return true
  }

  private next(): Promise<Step> {
    if (!this.uploadId) return this.create()
    if (this.offset === null) return this.askOffset(this.uploadId)
    if (this.offset >= this.file.size) return Promise.resolve('finished')
    return this.sendPart(this.uploadId, this.offset)
  }

  private async create(): Promise<Step> {
    const kind = this.file.size > MAX_FILE_BYTES ? 'largeFile' : 'file'
    const headers = { 'Upload-Length': String(this.file.size), 'Upload-Metadata': `kind ${btoa(kind)}` }
    const answer = await this.send(UPLOADS_PATH, { method: 'POST', headers })
    if (answer?.status !== 201) return toRefusal(answer)
    const uploadId = answer.header('Location')?.split('/').at(-1)
    if (!uploadId) return 'cut'
    this.uploadId = uploadId
    this.offset = 0
    this.call.onUploadId?.(uploadId)
    return 'known'
  }

  private async askOffset(uploadId: string): Promise<Step> {
    const answer = await this.send(`${UPLOADS_PATH}/${uploadId}`, { method: 'HEAD' })
    if (answer?.status === 404) return this.beginAnew()
    if (answer?.status !== 200) return 'cut' // such an answer has no body that says why
    if (Number(answer.header('Upload-Length')) !== this.file.size) return this.beginAnew()
    return this.moveTo(answer)
  }

  private async sendPart(uploadId: string, offset: number): Promise<Step> {
    const { onProgress } = this.call
    const answer = await this.send(`${UPLOADS_PATH}/${uploadId}`, {
      method: 'PATCH',
      headers: { 'Upload-Offset': String(offset), 'Content-Type': UPLOAD_PART_TYPE },
      body: this.file.slice(offset, offset + UPLOAD_CHUNK_BYTES),
      onProgress: (sentBytes) => onProgress(offset + sentBytes),
    })
    if (answer?.status === 404) return this.beginAnew()
    if (answer?.status === 409) return 'cut'
    return answer?.status === 204 ? this.moveTo(answer) : toRefusal(answer)
  }

  /** The server does not know the upload: it has expired, or this is another region. */
  private beginAnew(): Step {
    this.uploadId = null
    this.maxOffset = 0
    return 'cut'
  }

  private moveTo(answer: HttpAnswer): Step {
    const offset = Number(answer.header('Upload-Offset'))
    const hasMoved = offset > this.maxOffset
    this.maxOffset = Math.max(offset, this.maxOffset)
    this.offset = offset
    this.call.onProgress(offset)
    return hasMoved ? 'moved' : 'known'
  }

  private send(path: string, call: Omit<Parameters<SendWithProgress>[1], 'signal'>): Promise<HttpAnswer | null> {
    const headers = { ...call.headers, 'Tus-Resumable': TUS_VERSION }
    return this.platform.send(path, { ...call, headers, signal: this.call.signal })
  }
}

function toRefusal(answer: HttpAnswer | null): Refusal | 'cut' {
  try {
    // Our own server sends its refusals so.
    return answer ? new Refusal(JSON.parse(answer.text) as RefusalBody) : 'cut'
  } catch {
    return 'cut'
  }
}
