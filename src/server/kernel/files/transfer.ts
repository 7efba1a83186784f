import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { withTimeout } from '../limits/stall-timeout.ts'
import type { BlobRef, StoredFile } from './blob-store.ts'
import { type FileRequest, signFileRequest } from './request-signature.ts'

/** Config that all transfers share. */
export interface TransferContext {
  key: KeyObject
  /** A transfer without a byte for this long is aborted. */
  stallMs: number
  /** Aborts transfers at shutdown. */
  signal: AbortSignal
}

/** The outcome of pushing a file to another region. */
export type PushResult = 'stored' | 'notPrimary' | 'busy' | 'full' | 'failed'

/** The URL path of files on the link. */
export const LINK_FILES_PATH = '/link/files'

/** The region answers but is overloaded. */
const OVERLOADED_STATUSES = new Set([429, 503])
const pushResults: Record<number, PushResult> = { 200: 'stored', 409: 'notPrimary', 503: 'busy', 507: 'full' }

/** Pushes a file to the region at `baseUrl`. Throws if the region cannot be reached or stalls. */
export function pushFile(
  transfer: TransferContext,
  baseUrl: string,
  { hash, size, path }: BlobRef & StoredFile,
): Promise<PushResult> {
  return withRequest(transfer, baseUrl, { method: 'PUT', hash, size }, async (request, signal) => {
    const response = awaitResponse(request, signal)
    // A response before the end of the body is a refusal and stops the upload.
    await Promise.race([response, sendFile(request, path, transfer.stallMs, signal)])
    const { statusCode = 0 } = await withTimeout(transfer.stallMs, response)
    return pushResults[statusCode] ?? 'failed'
  })
}

/**
 * Requests a file from the region at `baseUrl` and passes its bytes and announced size to `store`. Resolves to null if that
 * region does not have the file. Throws if the region cannot be reached or is overloaded, and what `store` throws.
 */
export function fetchFile<T>(
  transfer: TransferContext,
  baseUrl: string,
  hash: string,
  store: (chunks: AsyncIterable<Uint8Array>, size: number) => Promise<T>,
): Promise<T | null> {
  return withRequest(transfer, baseUrl, { method: 'GET', hash, size: null }, async (request, signal) => {
    request.end()
    const response = await withTimeout(transfer.stallMs, awaitResponse(request, signal))
    const { statusCode = 0, headers } = response
    if (OVERLOADED_STATUSES.has(statusCode)) throw new Error(`a region answered ${statusCode}`)
    return statusCode === 200 ? store(response, Number(headers['content-length'])) : null
  })
}

/** One request per connection: a kept-alive connection may have died unnoticed since its last use. */
async function withRequest<T>(
  transfer: TransferContext,
  baseUrl: string,
  fileRequest: FileRequest,
  run: (request: ClientRequest, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const completion = new AbortController()
  const signal = AbortSignal.any([transfer.signal, completion.signal])
  const url = new URL(`${baseUrl.replace(/\/$/, '')}${LINK_FILES_PATH}/${fileRequest.hash}`)
  const headers = {
    authorization: signFileRequest(transfer.key, fileRequest),
    ...(fileRequest.size !== null && {
      'content-length': fileRequest.size,
      'content-type': 'application/octet-stream',
    }),
  }
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = open(url, { method: fileRequest.method, headers, agent: false, signal })
  request.on('error', () => {}) // the awaited promises reject with it
  try {
    return await run(request, signal)
  } finally {
    completion.abort()
  }
}

async function awaitResponse(request: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response', { signal })) as [IncomingMessage] // the event's only argument
  return response
}

async function sendFile(request: ClientRequest, path: string, stallMs: number, signal: AbortSignal): Promise<void> {
  for await (const chunk of createReadStream(path, { signal })) {
    if (!request.write(chunk)) await withTimeout(stallMs, once(request, 'drain', { signal }))
  }
  request.end()
}
