import type { ReactNode } from 'react'
import { parseRichText } from '../../../shared/text/rich-text.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import { WebLink } from './web-link.tsx'

/** Mentions beyond this are shown as plain text, because each is an element of every reader's page. */
const MAX_SHOWN_MENTIONS = 20

/** A message, a description or a comment with links and highlighted mentions; markup in it stays text. */
export function RichText({ text, viewerName }: { text: string; viewerName: string }): ReactNode {
  return parseRichText(text, { maxMentions: MAX_SHOWN_MENTIONS }).map((piece, index) => {
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
