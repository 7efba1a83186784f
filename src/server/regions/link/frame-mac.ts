import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/** What a seal adds to a frame: an HMAC-SHA256, truncated (RFC 2104, section 5, allows half of it). */
export const MAC_BYTES = 16

/** Seals the frames of one direction of a line, or opens them. Each end of a line has one for either direction. */
export interface FrameMac {
  /** The payload with its seal behind it. */
  sign(payload: Uint8Array): Uint8Array
  /** The payload, or null when this is not the next frame that was sealed: nothing after it can be believed. */
  verify(frame: Uint8Array): Uint8Array | null
}

/**
 * The seal covers a counter that both ends keep for themselves and that never travels: a frame that is repeated, left
 * out or overtaken is as wrong as one that was altered. `key` belongs to one direction of one line.
 */
export function createFrameMac(key: KeyObject): FrameMac {
  let frames = 0n
  const counter = Buffer.alloc(8)
  const sealOfNext = (payload: Uint8Array) => {
    counter.writeBigUInt64BE(frames++)
    return createHmac('sha256', key).update(counter).update(payload).digest().subarray(0, MAC_BYTES)
  }
  return {
    sign: (payload) => Buffer.concat([payload, sealOfNext(payload)]),
    verify(frame) {
      if (frame.length < MAC_BYTES) return null
      const payload = frame.subarray(0, -MAC_BYTES)
      return timingSafeEqual(sealOfNext(payload), frame.subarray(-MAC_BYTES)) ? payload : null
    },
  }
}
