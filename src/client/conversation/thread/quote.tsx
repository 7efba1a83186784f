import type { ReactNode } from 'react'
import type { Quote } from '../../../shared/room-chat/message.ts'

/** What a message answers. A press goes to the original, wherever it is (message-actions.ts). */
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
