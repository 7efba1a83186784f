import type { ReactNode } from 'react'

/**
 * Hidden fields of a plain form. A script adds the browser's id, and the last room if no other path was asked for
 * (start-session.ts).
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
