import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib'
import type { PagePart } from './page-parts.ts'

/** RFC 1952, section 2.3: deflate, no name, no time, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** The last block of the stream, stored and empty (RFC 1951, section 3.2.4). */
const LAST_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff])
const MAX_STORED_BYTES = 0xffff

/** Kept parts by their bytes: sent once, waiting to be compressed, or compressed. */
const keptParts = new WeakMap<Uint8Array, 'sent' | 'waiting' | Uint8Array>()

/**
 * A page as gzip. A kept part is compressed when it is sent again: once, and in a context of its own. All that is made
 * for one page, with its secrets, is stored uncompressed, so that no length depends on it (decision 0025, BREACH).
 * @param hasSecrets without any, the rest is compressed too (decision 0066)
 */
export function gzipPage(parts: readonly PagePart[], hasSecrets: boolean): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = [HEADER]
  let checksum = 0
  let size = 0
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    checksum = crc32(bytes, checksum)
    size += bytes.length
    const compressed = typeof part === 'string' ? (hasSecrets ? null : compressNow(bytes)) : compressedPart(part)
    if (compressed) chunks.push(compressed)
    else storeBytes(chunks, bytes)
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum)
  trailer.writeUInt32LE(size, 4)
  return Buffer.concat([...chunks, LAST_BLOCK, trailer])
}

/** A kept part as deflate blocks that end on a byte; null until it is compressed, which begins when it is sent again. */
function compressedPart(part: Uint8Array): Uint8Array | null {
  const state = keptParts.get(part)
  if (state === undefined) keptParts.set(part, 'sent')
  else if (state === 'sent') compress(part)
  else if (state !== 'waiting') return state
  return null
}

/** Deflate blocks that end on a byte. */
function compressNow(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
}

function compress(part: Uint8Array): void {
  keptParts.set(part, 'waiting')
  deflateRaw(part, { finishFlush: constants.Z_SYNC_FLUSH }, (error, compressed) => {
    if (!error) keptParts.set(part, compressed)
  })
}

/** Appends bytes as stored blocks. */
function storeBytes(chunks: Uint8Array[], bytes: Uint8Array): void {
  for (let start = 0; start < bytes.length; start += MAX_STORED_BYTES) {
    const block = bytes.subarray(start, start + MAX_STORED_BYTES)
    const { length } = block
    chunks.push(Buffer.from([0, length, length >> 8, ~length, ~length >> 8]), block)
  }
}
