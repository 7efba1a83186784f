import type { SignedIn } from '../shared/accounts/protocol.ts'

/** What every page knows of who asked for it. It is in the document as JSON, so that the socket can start at once. */
export interface Boot {
  /** null: nobody is signed in. Absent: this page cannot say, and what the browser keeps stays as it is. */
  session?: Pick<SignedIn, 'user' | 'token' | 'adminToken'> | null
}

/** The boot data of this document. */
export function readBoot(): Boot {
  const block = document.querySelector('script#boot')
  // Our own server wrote it from a Boot.
  return block ? (JSON.parse(block.textContent) as Boot) : {}
}
