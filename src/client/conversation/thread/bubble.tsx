import { memo, type ReactNode } from 'react'
import { clockTime } from '../../ui/format/turkish-time.ts'
import { AlertIcon, CheckIcon, ClockIcon, ReplyIcon } from '../../ui/icons.tsx'
import type { Bubble } from '../store/bubble.ts'
import { QuoteView } from './quote.tsx'
import { RichText } from './rich-text.tsx'
import { isEmojiOnly } from './timeline.ts'

interface BubbleViewProps {
  bubble: Bubble
  /** Whether the name is shown above it; otherwise only screen readers get it. */
  hasVisibleName: boolean
  /** Whether it arrived while the page was open. */
  isNew: boolean
  viewerName: string
}

/** One message. Its element stays the same from pending to sent. thread-extras.tsx handles its buttons. */
export const BubbleView = memo(function BubbleView(props: BubbleViewProps): ReactNode {
  const { bubble, hasVisibleName, isNew, viewerName } = props
  const { key, id, content, status, sender, replyTo } = bubble
  const isBare = !replyTo && isEmojiOnly(content)
  return (
    <div
      className="bubble-row"
      tabIndex={-1}
      data-key={key}
      data-id={id ?? undefined}
      data-status={status}
      data-fresh={isNew}
    >
      <div className={isBare ? 'bubble bubble--emoji' : 'bubble'}>
        {!hasVisibleName && (
          <span className="visually-hidden">
            <bdi>{sender.username}</bdi>:{' '}
          </span>
        )}
        {replyTo && <QuoteView quote={replyTo} />}
        <span className="bubble-text">
          <RichText text={content} viewerName={viewerName} />
        </span>
        <BubbleFooter bubble={bubble} />
        {id !== null && (
          <button type="button" className="bubble-reply" aria-label="Yanıtla">
            <ReplyIcon size={16} />
          </button>
        )}
      </div>
      {status === 'failed' && <FailedActions reason={bubble.failure} />}
    </div>
  )
})

function BubbleFooter({ bubble }: { bubble: Bubble }): ReactNode {
  return (
    <span className="bubble-foot">
      <time dateTime={new Date(bubble.createdAt).toISOString()}>{clockTime(bubble.createdAt)}</time>
      {bubble.isOwn && bubble.status === 'sent' && <CheckIcon size={14} />}
      {bubble.status === 'pending' && <ClockIcon size={14} />}
      {bubble.status === 'failed' && <AlertIcon size={14} />}
    </span>
  )
}

function FailedActions({ reason }: { reason: string | undefined }): ReactNode {
  return (
    <p className="bubble-failure">
      <span>{reason ?? 'Mesaj gönderilemedi!'}</span>
      <button type="button" className="link-button" data-action="retry">
        Tekrar dene
      </button>
      <button type="button" className="link-button" data-action="discard">
        Sil
      </button>
    </p>
  )
}
