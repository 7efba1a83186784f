import { session } from '../session/session.ts'

export interface ProgressCall {
  method: 'POST' | 'PATCH' | 'HEAD'
  headers?: Record<string, string>
  body?: Blob | FormData
  signal: AbortSignal
  /** Called with the bytes of the body that were sent so far. */
  onProgress?(sentBytes: number): void
}

export interface HttpAnswer {
  status: number
  text: string
  header(name: string): string | null
}

/** null: there was no answer; the connection was cut, or the call aborted. */
export type SendWithProgress = (path: string, call: ProgressCall) => Promise<HttpAnswer | null>

/** A request without progress ends after this; the server may wait for its turn and encode a picture meanwhile. */
const STALL_MS = 30_000

/** Sends a request of the signed-in user. After a 401 the token is refreshed and the request repeated once. */
export const sendWithProgress: SendWithProgress = async (path, call) => {
  const answer = await send(path, call)
  const isRefreshed = answer?.status === 401 && (await session.refresh()) === 'refreshed'
  return isRefreshed ? send(path, call) : answer
}

/** With XMLHttpRequest: `fetch` reports no progress of a request. */
const send: SendWithProgress = (path, { method, headers = {}, body, signal, onProgress }) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(null)
    const request = new XMLHttpRequest()
    const abort = (): void => request.abort()
    let stallTimer = setTimeout(abort, STALL_MS)
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(stallTimer)
      stallTimer = setTimeout(abort, STALL_MS)
      onProgress?.(loaded)
    }
    request.onload = () =>
      resolve({
        status: request.status,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      })
    request.onerror = request.onabort = () => resolve(null)
    request.onloadend = () => {
      clearTimeout(stallTimer)
      signal.removeEventListener('abort', abort)
    }
    signal.addEventListener('abort', abort)
    request.open(method, path)
    request.setRequestHeader('Authorization', `Bearer ${session.token()}`)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(body)
  })
