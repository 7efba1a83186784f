/** Raised only when older clients would break; `hello` refuses another major version with `ProtocolOutdated`. */
export const PROTOCOL_MAJOR = 1
/** Raised with every change of a wire schema; the fingerprint test enforces it. */
export const PROTOCOL_MINOR = 64
/** Computed from the wire schemas of this version by src/server/kernel/protocol/version.test.ts. */
export const WIRE_FINGERPRINT = '04c112e66c7fcc76'
