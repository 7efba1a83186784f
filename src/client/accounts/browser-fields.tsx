import type { ReactNode } from 'react'

/**
 * Where a plain form leads on to, and what a script adds to it: which browser this is, and the last room where no
 * other was asked for (start-session.ts).
 */
export function BrowserFields({ next }: { next: string | null }): ReactNode {
  return (
    <>
      <input type="hidden" name="browserId" />
      <input type="hidden" name="lastLoginPlatform" value="web" />
      <input type="hidden" name="next" defaultValue={next ?? ''} />
    </>
  )
}
