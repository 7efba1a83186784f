import type { SignedIn } from '../../../shared/accounts/protocol.ts'

/** The session of the request. It is in the document as JSON, so that the socket can start at once. */
export interface Boot {
  /** null: not signed in. Absent: the page does not know, and the browser keeps its stored session. */
  session?: Pick<SignedIn, 'user' | 'token' | 'adminToken'> | null
}

/** The boot data of this document. */
export function readBoot(): Boot {
  return parseBoot(document.querySelector('script#boot')?.textContent ?? '{}')
}

/** The server has serialised it from a Boot and masked the tokens (render/mask-tokens.ts). */
export function parseBoot(json: string): Boot {
  return JSON.parse(json, (key, value) => (/token$/i.test(key) ? unmask(value) : value))
}

function unmask(masked: string): string {
  const bytes = Uint8Array.from(atob(masked), (character) => character.charCodeAt(0))
  const token = bytes.subarray(bytes.length / 2).map((byte, index) => byte ^ (bytes[index] ?? 0))
  return String.fromCharCode(...token)
}
