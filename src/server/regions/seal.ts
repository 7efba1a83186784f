import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/** What a seal adds to a frame: an HMAC-SHA256, truncated (RFC 2104, section 5, allows half of it). */
export const SEAL_BYTES = 16

/** Seals the frames of one direction of a line, or opens them. Each end of a line has one for either direction. */
export interface Seal {
  /** The payload with its seal behind it. */
  seal(payload: Uint8Array): Uint8Array
  /** The payload, or null when this is not the next frame that was sealed: nothing after it can be believed. */
  open(frame: Uint8Array): Uint8Array | null
}

/**
 * The seal covers a counter that both ends keep for themselves and that never travels: a frame that is repeated, left
 * out or overtaken is as wrong as one that was altered. `key` belongs to one direction of one line.
 */
export function createSeal(key: KeyObject): Seal {
  let frames = 0n
  const counter = Buffer.alloc(8)
  const sealOfNext = (payload: Uint8Array) => {
    counter.writeBigUInt64BE(frames++)
    return createHmac('sha256', key).update(counter).update(payload).digest().subarray(0, SEAL_BYTES)
  }
  return {
    seal: (payload) => Buffer.concat([payload, sealOfNext(payload)]),
    open(frame) {
      if (frame.length < SEAL_BYTES) return null
      const payload = frame.subarray(0, -SEAL_BYTES)
      return timingSafeEqual(sealOfNext(payload), frame.subarray(-SEAL_BYTES)) ? payload : null
    },
  }
}
