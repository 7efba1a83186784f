/** Raised only when older clients would break; `hello` refuses another major version with `ProtocolOutdated`. */
export const PROTOCOL_MAJOR = 1
/** Raised with every change of a wire schema; the fingerprint test enforces it. */
export const PROTOCOL_MINOR = 63
/** Computed from the wire schemas of this version by src/server/kernel/protocol/version.test.ts. */
export const WIRE_FINGERPRINT = 'ecf10898b64d452b'
