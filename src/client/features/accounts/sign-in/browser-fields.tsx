import type { ReactNode } from 'react'

export interface BrowserFieldsProps {
  next: string | null
  /** On the landing page of the room to which `next` leads. */
  isOfRoom?: boolean | undefined
}

/**
 * Hidden fields of a plain form. A script adds the browser's id, and the last room if no other path was asked for
 * (start-session.ts).
 */
export function BrowserFields({ next, isOfRoom = false }: BrowserFieldsProps): ReactNode {
  return (
    <>
      <input type="hidden" name="browserId" />
      <input type="hidden" name="lastLoginPlatform" value="web" />
      <input type="hidden" name="next" defaultValue={next ?? ''} />
      {isOfRoom && <input type="hidden" name="isOfRoom" value="true" />}
    </>
  )
}
