import type { ReactNode } from 'react'

/** What a script adds to a plain form: which browser this is and which room it comes back to (start-session.ts). */
export function BrowserFields(): ReactNode {
  return (
    <>
      <input type="hidden" name="browserId" />
      <input type="hidden" name="lastLoginPlatform" value="web" />
      <input type="hidden" name="next" />
    </>
  )
}
