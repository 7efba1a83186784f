import type { ReactNode } from 'react'
import type { Quote } from '../../../shared/room-chat/message.ts'

/** The message that a reply quotes. A press scrolls to the original (thread-extras.tsx). */
export function QuoteView({ quote }: { quote: Quote }): ReactNode {
  const { id, content, senderUsername } = quote
  if (content === null) return <span className="quote">Yanıtlanan mesaj artık görünmüyor.</span>
  return (
    <button type="button" className="quote" data-jump={id}>
      <b>
        <span className="visually-hidden">Yanıtlanan: </span>
        {senderUsername}
      </b>
      <span>{content}</span>
    </button>
  )
}
