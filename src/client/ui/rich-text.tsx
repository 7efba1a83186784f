import type { ReactNode } from 'react'
import { parseRichText } from '../../shared/text/rich-text.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { WebLink } from './web-link.tsx'

/** A message, a description or a comment with links and highlighted mentions; markup in it stays text. */
export function RichText({ text, viewerName }: { text: string; viewerName: string }): ReactNode {
  return parseRichText(text).map((piece, index) => {
    if (piece.kind === 'text') return piece.text
    if (piece.kind === 'link') return <WebLink key={index} {...piece} />
    return (
      <button
        key={index}
        type="button"
        className="mention"
        data-self={foldName(piece.name) === foldName(viewerName)}
        data-person={piece.name}
        aria-haspopup="dialog"
      >
        @{piece.name}
      </button>
    )
  })
}
