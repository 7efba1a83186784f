import { createHmac, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Message } from 'werift'

const HEADER_BYTES = 20
const TRANSACTION_ID_BYTES = 12
const MAGIC_COOKIE = 0x2112a442
const BINDING_REQUEST = 0x0001
const USERNAME = 0x0006
const MESSAGE_INTEGRITY = 0x0008
const USE_CANDIDATE = 0x0025
const FINGERPRINT = 0x8028
const INTEGRITY_BYTES = 20
const FINGERPRINT_BYTES = 4
/** An attribute's type and length. */
const ATTRIBUTE_HEADER_BYTES = 4
/** RFC 8489, 14.7: the CRC is told from others by it. */
const FINGERPRINT_XOR = 0x5354554e
/** Checks of browsers have 100 to 150 bytes; with a DTLS hello in them, which Chromium tries, as many as a packet may have. */
const MAX_CHECK_BYTES = 1_500
const COLON = 0x3a
const BINDING_METHOD = 1
const SUCCESS_CLASS = 0x0100

/** RFC 8839, 5.4 allows 256 characters; ours have 8. */
const MAX_FRAGMENT_LENGTH = 32

/** What a scan has found in a check; one object for all, because nothing of it outlives the call. */
export interface ScannedCheck {
  usernameFragment: string
  isNominating: boolean
  /** The first four bytes of the transaction id. */
  transaction: number
}

/** Whether it is a STUN message of another kind than a binding request: an indication, a response, another method. */
export function isOtherStun(data: Buffer): boolean {
  return (
    data.length >= HEADER_BYTES && data.readUInt32BE(4) === MAGIC_COOKIE && data.readUInt16BE(0) !== BINDING_REQUEST
  )
}

/**
 * Reads a connectivity check without verifying it, so that what is certainly none costs no HMAC: a binding request with a USERNAME,
 * whose last attributes are MESSAGE-INTEGRITY and FINGERPRINT. Attributes after the integrity are not covered by it and must
 * be ignored (RFC 8489, 14.5); no browser sends any, so such a message is refused. Returns false for anything else.
 */
export function scanCheck(data: Buffer, check: ScannedCheck): boolean {
  if (!isBindingRequest(data) || !endsWithFingerprint(data, findAttribute(data, MESSAGE_INTEGRITY))) return false
  const usernameAt = findAttribute(data, USERNAME)
  if (usernameAt < 0) return false
  const colonAt = data.indexOf(COLON, usernameAt)
  if (colonAt < usernameAt || colonAt > usernameAt + MAX_FRAGMENT_LENGTH) return false
  check.usernameFragment = data.toString('latin1', usernameAt, colonAt)
  check.isNominating = findAttribute(data, USE_CANDIDATE) >= 0
  check.transaction = data.readUInt32BE(8)
  return true
}

/** Where the value of the first attribute of this type begins, or -1. The value is complete. */
function findAttribute(data: Buffer, wanted: number): number {
  let at = HEADER_BYTES
  while (at + 4 <= data.length) {
    const type = data.readUInt16BE(at)
    const length = data.readUInt16BE(at + 2)
    const end = at + 4 + length
    if (type === wanted) return end <= data.length ? at + 4 : -1
    at = end + (-length & 3)
  }
  return -1
}

function isBindingRequest(data: Buffer): boolean {
  return (
    data.length >= HEADER_BYTES &&
    data.length <= MAX_CHECK_BYTES &&
    data.readUInt16BE(0) === BINDING_REQUEST &&
    data.readUInt16BE(2) === data.length - HEADER_BYTES &&
    data.readUInt32BE(4) === MAGIC_COOKIE
  )
}

/** Whether a MESSAGE-INTEGRITY whose value begins at `at` is followed by a FINGERPRINT and nothing more. */
function endsWithFingerprint(data: Buffer, at: number): boolean {
  const fingerprintAt = at + INTEGRITY_BYTES
  return (
    at > 0 &&
    data.length === fingerprintAt + 4 + FINGERPRINT_BYTES &&
    data.readUInt16BE(at - 2) === INTEGRITY_BYTES &&
    data.readUInt16BE(fingerprintAt) === FINGERPRINT &&
    data.readUInt16BE(fingerprintAt + 2) === FINGERPRINT_BYTES
  )
}

/**
 * Verifies the fingerprint and the integrity of a scanned check (RFC 8489, 14.5 to 14.7). Returns its transaction id, or null.
 * Not with werift, which decodes every attribute before it has verified any: an address of 1,400 bytes takes it 0.5 ms.
 */
export function verifyCheck(data: Buffer, key: Buffer): Buffer | null {
  const fingerprintAt = data.length - FINGERPRINT_BYTES
  const integrityEnd = fingerprintAt - ATTRIBUTE_HEADER_BYTES
  const crc = (crc32(data.subarray(0, integrityEnd)) ^ FINGERPRINT_XOR) >>> 0
  if (crc !== data.readUInt32BE(fingerprintAt)) return null
  const integrityAt = integrityEnd - INTEGRITY_BYTES
  // The integrity covers the header with a length that ends with the integrity.
  const start = Buffer.from(data.subarray(0, 4))
  start.writeUInt16BE(integrityEnd - HEADER_BYTES, 2)
  const covered = data.subarray(start.length, integrityAt - ATTRIBUTE_HEADER_BYTES)
  const integrity = createHmac('sha1', key).update(start).update(covered).digest()
  if (!timingSafeEqual(integrity, data.subarray(integrityAt, integrityEnd))) return null
  return Buffer.from(data.subarray(HEADER_BYTES - TRANSACTION_ID_BYTES, HEADER_BYTES))
}

/** A success response (RFC 8489, 6.3.1.1; RFC 8445, 7.3): where the check came from, integrity, fingerprint. */
export function encodeSuccess(transactionId: Buffer, address: string, port: number, key: Buffer): Buffer {
  return new Message(BINDING_METHOD, SUCCESS_CLASS, transactionId)
    .setAttribute('XOR-MAPPED-ADDRESS', [address, port])
    .addMessageIntegrity(key)
    .addFingerprint().bytes
}
