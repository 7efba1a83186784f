import type { Media } from '../../../../shared/media/media.ts'
import { Refusal, type RefusalBody } from '../../../../shared/protocol/refusals.ts'
import { isFailure, type Result } from '../../../../shared/protocol/result.ts'
import { type HttpAnswer, sendWithProgress } from '../../../core/http/send-with-progress.ts'
import type { OutgoingFile } from './outgoing-file.ts'
import { discardUpload, uploadResumable } from './resumable-upload.ts'

export interface UploadCall {
  /** The idempotency key: a repeated upload under it is stored once. */
  key: string
  signal: AbortSignal
  /** Called with the bytes that were sent so far. */
  onProgress(sentBytes: number): void
  /** The upload of this file that began before a cut or a reload; null for none. */
  uploadId: string | null
  /** Called with the id of a new upload. */
  onUploadId(uploadId: string): void
}

/** A route for files of messages, and the fields that it has beside those of the file. */
export interface UploadTarget {
  /** Below `/api`. */
  path: string
  fields?: Readonly<Record<string, number>>
}

/** `disconnected`: the connection was cut, or the call aborted. */
export type UploadOutcome = Result<Media>
export type UploadFile = (file: OutgoingFile, call: UploadCall & { target: UploadTarget }) => Promise<UploadOutcome>

/** A larger file is uploaded in parts, before its form. */
const MAX_FILE_IN_FORM_BYTES = 1024 * 1024

/** Uploads a file of a message; after a cut, a large one goes on where it was. */
export const uploadFile: UploadFile = (file, call) => {
  const { path, fields = {} } = call.target
  return uploadForm<Media>(path, file.blob, (uploadId) => toForm(file, { ...fields, uploadId }), call)
}

/**
 * Sends a form with a file to a route below `/api`, a large file in parts before it. The type parameter is the answer of
 * the route.
 * @param toForm makes the form; with the id of an upload that stands for the file, or with the file itself (null)
 * @param isPatient whether a large file waits for the network
 */
export async function uploadForm<Answer>(
  path: string,
  file: Blob,
  toForm: (uploadId: string | null) => FormData,
  call: UploadCall,
  isPatient = false,
): Promise<Result<Answer>> {
  if (file.size <= MAX_FILE_IN_FORM_BYTES) return postForm<Answer>(path, toForm(null), call, 0)
  const inParts = async (uploadId: string | null, isRepeated: boolean): Promise<Result<Answer>> => {
    const uploaded = await uploadResumable(file, { ...call, uploadId, isPatient })
    if (isFailure(uploaded)) return uploaded
    const outcome = await postForm<Answer>(path, toForm(uploaded.uploadId), call, file.size)
    if (call.signal.aborted) discardUpload(uploaded.uploadId)
    const isGone = outcome instanceof Refusal && outcome.body.code === 'MediaNotFound'
    return isGone && !isRepeated ? inParts(null, true) : outcome
  }
  return inParts(call.uploadId, false)
}

/** A form with the fields of `shared/media/upload-form.ts`. @param fields those of the route; `uploadId` stands for the file */
function toForm(
  { blob, name, poster, durationMs, waveform, width, height }: OutgoingFile,
  fields: Readonly<Record<string, number | string | null>>,
): FormData {
  const form = new FormData()
  if (fields.uploadId === null) form.set('media', blob, name)
  if (poster) form.set('poster', poster)
  const details = { ...fields, durationMs, width, height, waveform: waveform && JSON.stringify(waveform) }
  for (const [field, value] of Object.entries(details)) if (value !== null) form.set(field, String(value))
  return form
}

/** @param sentBytes those of the file that the server has already */
async function postForm<Answer>(
  path: string,
  form: FormData,
  { key, signal, onProgress }: UploadCall,
  sentBytes: number,
): Promise<Result<Answer>> {
  return toOutcome<Answer>(
    await sendWithProgress(`/api${path}`, {
      method: 'POST',
      headers: { 'Idempotency-Key': key },
      body: form,
      signal,
      onProgress: (formBytes) => onProgress(sentBytes + formBytes),
    }),
  )
}

function toOutcome<Answer>(answer: HttpAnswer | null): Result<Answer> {
  if (!answer) return 'disconnected'
  try {
    const body: unknown = JSON.parse(answer.text)
    // Our own server validated it against the route's schema.
    return answer.status === 200 ? (body as Answer) : new Refusal(body as RefusalBody)
  } catch {
    return 'disconnected'
  }
}
