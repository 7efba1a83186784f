import type { PersonLimit } from '../protocol/define.ts'

const TEN_MINUTES_MS = 10 * 60_000
const MIB = 1024 * 1024

/** Files that one user uploads for messages, in direct messages and rooms together. */
export const MEDIA_LIMIT: PersonLimit = { points: 40, perMs: TEN_MINUTES_MS }
/** The same of one address: a small picture can take two seconds to decode. */
export const ADDRESS_MEDIA_LIMIT: PersonLimit = { points: 200, perMs: TEN_MINUTES_MS }
/** Bytes that the uploads of one user store, and those of one address. */
export const MEDIA_BYTES_LIMIT: PersonLimit = { points: 100 * MIB, perMs: TEN_MINUTES_MS }
export const ADDRESS_MEDIA_BYTES_LIMIT: PersonLimit = { points: 200 * MIB, perMs: TEN_MINUTES_MS }
/** An upload that no message uses is deleted after this. */
export const UNUSED_MEDIA_MS = 24 * 60 * 60_000
/** Bounds of what a client says of its file. */
export const MAX_MEDIA_DURATION_MS = 24 * 60 * 60_000
export const MAX_MEDIA_EDGE_PX = 16_384
