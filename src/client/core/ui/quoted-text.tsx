import type { ReactNode } from 'react'
import './quoted-text.lazy.css'

/** What a person has written, set off from the words around it. */
export function QuotedText({ text }: { text: string }): ReactNode {
  return (
    <blockquote className="quoted-text" dir="auto">
      {text}
    </blockquote>
  )
}
