import type { ReactNode } from 'react'

/** A user's link, opened in a new tab. */
export function WebLink({ href, text }: { href: string; text: string }): ReactNode {
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {text}
    </a>
  )
}
