import { randomBytes } from 'node:crypto'
import type { Boot } from '../../../client/core/session/boot.ts'

/**
 * The boot data as the page carries it. A page is compressed with texts of strangers in it, so its length would tell how
 * much of a token they have guessed (BREACH); a masked one is other bytes in each page (decision 0025).
 */
export function maskTokens(boot: Boot): Boot {
  if (!boot.session) return boot
  const { token, adminToken, ...more } = boot.session
  return { session: { ...more, token: mask(token), ...(adminToken !== undefined && { adminToken: mask(adminToken) }) } }
}

/** Random bytes, and the token XORed with them, as base64. `readBoot` reads it. */
function mask(token: string): string {
  const pad = randomBytes(token.length)
  const masked = Buffer.from(token, 'latin1').map((byte, index) => byte ^ (pad[index] ?? 0))
  return Buffer.concat([pad, masked]).toString('base64')
}
