import type { ReactNode } from 'react'
import { piecesOf } from '../../shared/text/rich-text.ts'

/** What somebody wrote, with addresses to open and names lit up. Whatever it says, it stays text. */
export function RichText({ text, viewerName }: { text: string; viewerName: string }): ReactNode {
  return piecesOf(text).map((piece, index) => {
    if (piece.kind === 'text') return piece.text
    if (piece.kind === 'link') {
      return (
        <a key={index} href={piece.href} title={piece.href} target="_blank" rel="noopener noreferrer nofollow ugc">
          {piece.text}
        </a>
      )
    }
    return (
      <span key={index} className="mention" data-self={piece.name === viewerName}>
        @{piece.name}
      </span>
    )
  })
}
