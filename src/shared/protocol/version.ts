/** Raised only when an older client would break; `hello` refuses another one with `ProtocolOutdated`. */
export const PROTOCOL_MAJOR = 1
/** Raised on purpose with every change of a wire schema; the fingerprint test holds it to that. */
export const PROTOCOL_MINOR = 8
/** What src/server/protocol/version.test.ts computes from the wire schemas of this very version. */
export const WIRE_FINGERPRINT = '31356481b2c05394'
