import type { Media } from '../../shared/media/media.ts'
import { Refusal, type RefusalBody } from '../../shared/protocol/refusals.ts'
import { session } from '../accounts/session.ts'
import type { OutgoingFile } from './outgoing-file.ts'

export interface UploadCall {
  /** The idempotency key: a repeated upload under it is stored once. */
  key: string
  signal: AbortSignal
  /** Called with the bytes that were sent so far. */
  onProgress(sentBytes: number): void
}

/** `noAnswer`: the connection was cut, or the call aborted. */
export type UploadOutcome = Media | Refusal | 'noAnswer'
export type UploadFile = (file: OutgoingFile, call: UploadCall) => Promise<UploadOutcome>

/** An upload without progress ends after this; the server may wait for its turn and encode a picture meanwhile. */
const STALL_MS = 30_000

/** Uploads files to a route below `/api`. After a 401 the token is refreshed and the upload repeated once. */
export function createUploader(path: string): UploadFile {
  return async (file, call) => {
    const response = await post(path, file, call)
    const isRefreshed = response?.status === 401 && (await session.refresh()) === 'refreshed'
    return toOutcome(isRefreshed ? await post(path, file, call) : response)
  }
}

/** A form as `POST /dm/upload-media` reads it. */
function toForm({ blob, name, poster, durationMs, waveform, width, height }: OutgoingFile): FormData {
  const form = new FormData()
  form.set('media', blob, name)
  if (poster) form.set('poster', poster)
  const details = { durationMs, width, height, waveform: waveform && JSON.stringify(waveform) }
  for (const [field, value] of Object.entries(details)) if (value !== null) form.set(field, String(value))
  return form
}

interface UploadResponse {
  status: number
  text: string
}

/** With XMLHttpRequest: `fetch` reports no progress of a request. null: there was no answer. */
function post(
  path: string,
  file: OutgoingFile,
  { key, signal, onProgress }: UploadCall,
): Promise<UploadResponse | null> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(null)
    const request = new XMLHttpRequest()
    const abort = (): void => request.abort()
    let stallTimer = setTimeout(abort, STALL_MS)
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(stallTimer)
      stallTimer = setTimeout(abort, STALL_MS)
      onProgress(loaded)
    }
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = request.onabort = () => resolve(null)
    request.onloadend = () => {
      clearTimeout(stallTimer)
      signal.removeEventListener('abort', abort)
    }
    signal.addEventListener('abort', abort)
    request.open('POST', `/api${path}`)
    request.setRequestHeader('Authorization', `Bearer ${session.token()}`)
    request.setRequestHeader('Idempotency-Key', key)
    request.send(toForm(file))
  })
}

function toOutcome(response: UploadResponse | null): UploadOutcome {
  if (!response) return 'noAnswer'
  try {
    const answer: unknown = JSON.parse(response.text)
    // Our own server validated it against the route's schema.
    return response.status === 200 ? (answer as Media) : new Refusal(answer as RefusalBody)
  } catch {
    return 'noAnswer'
  }
}
