/** The first 48 bits of a call's id, which are random (RFC 9562, section 5.4): a call has no row, and so no number of its own. */
export function requestIdOf(callId: string): number {
  return Number.parseInt(callId.replaceAll('-', '').slice(0, 12), 16) + 1
}

/** An id with this number, where the rest of the call's id is not known: `requestIdOf` of both is the same. */
export function callIdOf(requestId: number): string {
  const digits = (requestId - 1).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-4000-8000-000000000000`
}
