import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto'

const AUTH_SCHEME = 'Meydan-File'

/** What a ticket is for. `size` in bytes, where bytes are brought; null where they are fetched. */
export interface FileRequest {
  method: 'GET' | 'PUT'
  hash: string
  size: number | null
}

/**
 * The Authorization header with which one region shows another that it is of the same site: an HMAC-SHA-256 (RFC 2104) of what
 * it is about to do. There is no time in it, because clocks may be an hour apart, and no nonce, because none is needed:
 * the hash binds the content, so a ticket that somebody saw and shows again fetches or brings the very bytes they saw.
 */
export function signFileRequest(key: KeyObject, errand: FileRequest): string {
  return `${AUTH_SCHEME} ${computeMac(key, errand)}`
}

/** Whether the header is the ticket for this errand. Takes as long for a wrong one as for a right one. */
export function isValidSignature(key: KeyObject, errand: FileRequest, header: string): boolean {
  return timingSafeEqual(hash('sha256', header, 'buffer'), hash('sha256', signFileRequest(key, errand), 'buffer'))
}

function computeMac(key: KeyObject, { method, hash, size }: FileRequest): string {
  return createHmac('sha256', key)
    .update(`${method}\n${hash}\n${size ?? ''}`)
    .digest('base64url')
}
