import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { withTimeout } from '../limits/stall-timeout.ts'
import type { BlobRef, StoredFile } from './blob-store.ts'
import { type FileRequest, signFileRequest } from './request-signature.ts'

/** What a transfer needs besides the file. */
export interface TransferContext {
  key: KeyObject
  /** A region that lets so long pass without a byte is given up. */
  stallMs: number
  /** Ends what is under way, when the process ends. */
  signal: AbortSignal
}

/** What became of a file that was brought to another region. */
export type PushResult = 'stored' | 'notPrimary' | 'busy' | 'failed'

/** Where regions hand files to each other. */
export const LINK_FILES_PATH = '/link/files'

/** With these a region says that it has too much to do. */
const OVERLOADED_STATUSES = new Set([429, 503])
const pushResults: Record<number, PushResult> = { 200: 'stored', 409: 'notPrimary', 503: 'busy' }

/** Brings a file to the region whose site is at `base`. Throws when that region cannot be reached or falls silent. */
export function pushFile(
  carriage: TransferContext,
  base: string,
  { hash, size, path }: BlobRef & StoredFile,
): Promise<PushResult> {
  return withRequest(carriage, base, { method: 'PUT', hash, size }, async (request, signal) => {
    const answered = awaitResponse(request, signal)
    // An answer that comes early, a refusal, ends the sending.
    await Promise.race([answered, sendFile(request, path, carriage.stallMs, signal)])
    const { statusCode = 0 } = await withTimeout(carriage.stallMs, answered)
    return pushResults[statusCode] ?? 'failed'
  })
}

/**
 * Asks the region whose site is at `base` for a file and hands what comes to `keep`, with the announced size in bytes.
 * Answers null when that region cannot give it. Throws when it cannot be reached or is too busy, and what `keep` throws.
 */
export function fetchFile<T>(
  carriage: TransferContext,
  base: string,
  hash: string,
  keep: (chunks: AsyncIterable<Uint8Array>, size: number) => Promise<T>,
): Promise<T | null> {
  return withRequest(carriage, base, { method: 'GET', hash, size: null }, async (request, signal) => {
    request.end()
    const answer = await withTimeout(carriage.stallMs, awaitResponse(request, signal))
    const { statusCode = 0, headers } = answer
    if (OVERLOADED_STATUSES.has(statusCode)) throw new Error(`a region answers ${statusCode}`)
    return statusCode === 200 ? keep(answer, Number(headers['content-length'])) : null
  })
}

/** One request on a line of its own, which ends with it: a kept line may have died unnoticed since its last use. */
async function withRequest<T>(
  carriage: TransferContext,
  base: string,
  errand: FileRequest,
  talk: (request: ClientRequest, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const signal = AbortSignal.any([carriage.signal, over.signal])
  const url = new URL(`${base.replace(/\/$/, '')}${LINK_FILES_PATH}/${errand.hash}`)
  const headers = {
    authorization: signFileRequest(carriage.key, errand),
    ...(errand.size !== null && { 'content-length': errand.size, 'content-type': 'application/octet-stream' }),
  }
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = open(url, { method: errand.method, headers, agent: false, signal })
  request.on('error', () => {}) // whoever waits for something learns of it there
  try {
    return await talk(request, signal)
  } finally {
    over.abort()
  }
}

async function awaitResponse(request: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const [answer] = (await once(request, 'response', { signal })) as [IncomingMessage] // what a request emits
  return answer
}

async function sendFile(request: ClientRequest, path: string, stallMs: number, signal: AbortSignal): Promise<void> {
  for await (const chunk of createReadStream(path, { signal })) {
    if (!request.write(chunk)) await withTimeout(stallMs, once(request, 'drain', { signal }))
  }
  request.end()
}
