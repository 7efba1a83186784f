import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto'

const SCHEME = 'Meydan-File'

/** What a ticket is for. `size` in bytes, where bytes are brought; null where they are fetched. */
export interface Errand {
  method: 'GET' | 'PUT'
  hash: string
  size: number | null
}

/**
 * The Authorization header with which one region shows another that it is of the same site: an HMAC-SHA-256 (RFC 2104) of what
 * it is about to do. There is no time in it, because clocks may be an hour apart, and no nonce, because none is needed:
 * the hash binds the content, so a ticket that somebody saw and shows again fetches or brings the very bytes they saw.
 */
export function ticketFor(key: KeyObject, errand: Errand): string {
  return `${SCHEME} ${sign(key, errand)}`
}

/** Whether the header is the ticket for this errand. Takes as long for a wrong one as for a right one. */
export function isTicketFor(key: KeyObject, errand: Errand, header: string): boolean {
  return timingSafeEqual(hash('sha256', header, 'buffer'), hash('sha256', ticketFor(key, errand), 'buffer'))
}

function sign(key: KeyObject, { method, hash, size }: Errand): string {
  return createHmac('sha256', key)
    .update(`${method}\n${hash}\n${size ?? ''}`)
    .digest('base64url')
}
