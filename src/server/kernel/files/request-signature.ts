import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto'

const AUTH_SCHEME = 'Meydan-File'

/** The signed parts of a request. `size` in bytes for PUT, null for GET. */
export interface FileRequest {
  method: 'GET' | 'PUT'
  hash: string
  size: number | null
}

/**
 * The Authorization header of a request between regions of a site: an HMAC-SHA-256 (RFC 2104) of method, hash and size.
 * It contains no time, because clocks may be an hour apart, and no nonce: the hash binds the content, so a replay
 * transfers the same bytes only.
 */
export function signFileRequest(key: KeyObject, fileRequest: FileRequest): string {
  return `${AUTH_SCHEME} ${computeMac(key, fileRequest)}`
}

/** Whether the header is the signature of this request. Compares in constant time. */
export function isValidSignature(key: KeyObject, fileRequest: FileRequest, header: string): boolean {
  return timingSafeEqual(hash('sha256', header, 'buffer'), hash('sha256', signFileRequest(key, fileRequest), 'buffer'))
}

function computeMac(key: KeyObject, { method, hash, size }: FileRequest): string {
  return createHmac('sha256', key)
    .update(`${method}\n${hash}\n${size ?? ''}`)
    .digest('base64url')
}
