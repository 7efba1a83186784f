import type { ReactNode } from 'react'
import type { Quote } from '../../shared/room-chat/message.ts'

/** What a message answers. Where the original is on the screen, a press goes there (deeds.ts). */
export function QuoteView({ quote, canJump }: { quote: Quote; canJump: boolean }): ReactNode {
  const { id, content, senderUsername } = quote
  if (content === null) return <span className="quote">Yanıtlanan mesaj artık görünmüyor.</span>
  const said = (
    <>
      <b>
        <span className="visually-hidden">Yanıtlanan: </span>
        {senderUsername}
      </b>
      <span>{content}</span>
    </>
  )
  return canJump ? (
    <button type="button" className="quote" data-jump={id}>
      {said}
    </button>
  ) : (
    <span className="quote">{said}</span>
  )
}
