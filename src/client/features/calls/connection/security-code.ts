const ITERATIONS = 100_000
const GROUPS = 3
const DIGITS = 5

/**
 * Three groups of five digits, the same on both sides of an end-to-end connection: a server that replaced the
 * fingerprints in the descriptions would give each side another code. It does not depend on the order of the two. PBKDF2
 * (RFC 8018, section 5.2) makes it slow to search for certificates whose codes are alike.
 */
export async function securityCodeOf(fingerprints: readonly [string, string]): Promise<string> {
  const encode = (text: string) => new TextEncoder().encode(text)
  const secret = encode(fingerprints.toSorted().join('\n'))
  const key = await crypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveBits'])
  const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt: encode('meydan call'), iterations: ITERATIONS }
  const bits = new DataView(await crypto.subtle.deriveBits(parameters, key, GROUPS * 32))
  const groups = Array.from({ length: GROUPS }, (_, group) => bits.getUint32(group * 4) % 10 ** DIGITS)
  return groups.map((group) => String(group).padStart(DIGITS, '0')).join(' ')
}
