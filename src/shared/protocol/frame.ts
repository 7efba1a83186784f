import { Decoder, Encoder } from '@msgpack/msgpack'
import { isWithinBounds } from './bounds.ts'
import type { RefusalBody } from './refusals.ts'

/** The first element of every value, its kind. Source: docs/protocol.md, "Frames". */
export const Kind = { signal: 0, request: 1, answer: 2, refusal: 3, event: 4, ephemeral: 5 } as const

export type Payload = Record<string, unknown>
export type ClientValue =
  | [typeof Kind.signal, name: string, payload: Payload]
  | [typeof Kind.request, id: number, name: string, payload: Payload]
export type ServerValue =
  | [typeof Kind.answer, id: number, answer: Payload]
  | [typeof Kind.refusal, id: number, refusal: RefusalBody]
  | [typeof Kind.event, seq: number, name: string, payload: Payload]
  | [typeof Kind.ephemeral, name: string, payload: Payload]

/** Close codes of the server. Source: docs/protocol.md, "Close codes". */
export const CloseCode = {
  badFrame: 4400,
  notSignedIn: 4401,
  banned: 4403,
  replaced: 4409,
  frameTooLarge: 4413,
  rateLimited: 4429,
  shuttingDown: 4503,
} as const

/** The largest frame that a client may send, in bytes. */
export const MAX_FRAME_BYTES = 64 * 1024

// Marked as pure, so that browser bundles, which use a smaller codec, drop the library.
const encoder = /* @__PURE__ */ new Encoder({ ignoreUndefined: true, maxDepth: 64 })
const decoder = /* @__PURE__ */ new Decoder()

/** Encodes a value as MessagePack into a new buffer; omits keys with the value undefined. */
export function encode(value: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(value) as Uint8Array<ArrayBuffer>
}

/**
 * The values of a client's frame, or null when it is not valid MessagePack or not of a client's shapes (close 4400).
 * Sizes, depth and counts are bounded before anything is allocated for them.
 */
export function decodeClientFrame(bytes: Uint8Array): ClientValue[] | null {
  if (bytes.length > MAX_FRAME_BYTES || !isWithinBounds(bytes)) return null
  try {
    const values: ClientValue[] = []
    for (const value of decoder.decodeMulti(bytes)) {
      const parsed = parseClientValue(value)
      if (!parsed) return null
      values.push(parsed)
    }
    return values.length ? values : null
  } catch {
    return null
  }
}

/** The values of a server's frame. Throws if it is malformed. */
export function decodeServerFrame(bytes: Uint8Array): ServerValue[] {
  return [...decoder.decodeMulti(bytes)] as ServerValue[]
}

function parseClientValue(value: unknown): ClientValue | null {
  if (!Array.isArray(value)) return null
  if (value[0] === Kind.signal && value.length === 3) {
    const [, name, payload] = value
    const map = parsePayload(payload)
    return isWellFormedText(name) && map ? [Kind.signal, name, map] : null
  }
  if (value[0] === Kind.request && value.length === 4) {
    const [, id, name, payload] = value
    const map = parsePayload(payload)
    return isUint32(id) && isWellFormedText(name) && map ? [Kind.request, id, name, map] : null
  }
  return null
}

function isUint32(id: unknown): id is number {
  return typeof id === 'number' && Number.isInteger(id) && id >= 0 && id <= 0xffff_ffff
}

function isWellFormedText(text: unknown): text is string {
  return typeof text === 'string' && text.isWellFormed()
}

/** The payload without nil fields, which equal absent ones (docs/protocol.md); null if it is not a payload. */
function parsePayload(payload: unknown): Payload | null {
  if (payload === null) return {}
  return isPlainObject(payload) && stripNilFields(payload) ? payload : null
}

function isPlainObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Removes nil fields in place, at any depth. False if any text is not well-formed. */
function stripNilFields(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (Array.isArray(value)) return value.every(stripNilFields)
  if (!isPlainObject(value)) return true
  return Object.entries(value).every(([key, field]) => {
    if (field === null) delete value[key]
    return key.isWellFormed() && stripNilFields(field)
  })
}
