import type { SignedIn } from '../../../shared/accounts/protocol.ts'

/** The session of the request. It is in the document as JSON, so that the socket can start at once. */
export interface Boot {
  /** null: not signed in. Absent: the page does not know, and the browser keeps its stored session. */
  session?: Pick<SignedIn, 'user' | 'token' | 'adminToken'> | null
}

/** The boot data of this document. */
export function readBoot(): Boot {
  const block = document.querySelector('script#boot')
  // The server serialised it from a Boot.
  return block ? (JSON.parse(block.textContent) as Boot) : {}
}
