import type { ReactNode } from 'react'

/** An address that somebody wrote, to be opened beside the page. */
export function WebLink({ href, text }: { href: string; text: string }): ReactNode {
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {text}
    </a>
  )
}
