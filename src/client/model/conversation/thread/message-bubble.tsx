import { memo, type ReactNode, useEffect } from 'react'
import { GHOST_MARK } from '../../../../shared/moderation/ghost-mark.ts'
import type { Quote } from '../../../../shared/room-chat/message.ts'
import { MESSAGE_REMOVED_TEXT } from '../../../../shared/sanctions/message-removed-text.ts'
import { loadLazy } from '../../../core/loading/load-lazy.ts'
import { signal } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { clockTime } from '../../../core/ui/format/turkish-time.ts'
import { AlertIcon, CheckIcon, ClockIcon } from '../../../core/ui/icons.tsx'
import { RichText } from '../../../core/ui/rich-text.tsx'
import { fitMediaBox } from '../../media/media-box.ts'
import type { Bubble, BubbleMedia } from '../store/message-types.ts'
import { messageName } from './message-name.ts'
import { isEmojiOnly } from './timeline.ts'
import './message-media.css'

type MediaPart = typeof import('../media/media-view.tsx')

const loaded = signal<MediaPart | null>(null)

interface BubbleViewProps {
  bubble: Bubble
  /** Whether the name is shown above it; otherwise only screen readers get it. */
  hasVisibleName: boolean
  viewerName: string
}

/** One message. Its element stays the same from pending to sent. thread-extras.lazy.tsx handles its buttons. */
export const BubbleView = memo(function BubbleView(props: BubbleViewProps): ReactNode {
  const { bubble, hasVisibleName, viewerName } = props
  const { key, id, content, media, status, sender, replyTo, isRemoved, isGhost } = bubble
  const isBare = !replyTo && !media && !isGhost && isEmojiOnly(content)
  return (
    <div className="bubble-row" tabIndex={-1} data-key={key} data-id={id ?? undefined} data-status={status}>
      <div className={isBare ? 'bubble bubble--emoji' : 'bubble'}>
        {!hasVisibleName && (
          <span className="visually-hidden">
            <bdi>{sender.username}</bdi>:{' '}
          </span>
        )}
        {replyTo && <QuoteView quote={replyTo} />}
        {media && <MessageMedia bubble={bubble} media={media} />}
        <span className="bubble-text" dir="auto">
          {isGhost && <b>{GHOST_MARK} · </b>}
          {isRemoved ? <i>{MESSAGE_REMOVED_TEXT}</i> : <RichText text={content} viewerName={viewerName} />}
        </span>
        <BubbleFooter bubble={bubble} />
        {id !== null && !isRemoved && <button type="button" className="bubble-reply" aria-label="Yanıtla" />}
      </div>
      {status === 'failed' && <FailedActions bubble={bubble} />}
    </div>
  )
})

/** The message that a reply quotes. A click scrolls to the original (thread-extras.lazy.tsx). */
function QuoteView({ quote }: { quote: Quote }): ReactNode {
  const { id, content, senderUsername } = quote
  if (content === null) return <span className="quote">Yanıtlanan mesaj artık görünmüyor.</span>
  return (
    <button type="button" className="quote" data-jump={id}>
      <b>
        <span className="visually-hidden">Yanıtlanan: </span>
        <bdi>{senderUsername}</bdi>
      </b>
      <span dir="auto">{content}</span>
    </button>
  )
}

function BubbleFooter({ bubble }: { bubble: Bubble }): ReactNode {
  return (
    <span className="bubble-foot">
      <time dateTime={new Date(bubble.createdAt).toISOString()}>{clockTime(bubble.createdAt)}</time>
      {bubble.isOwn && bubble.id !== null && <CheckIcon size={14} />}
      {bubble.status === 'pending' && <ClockIcon size={14} />}
      {bubble.status === 'failed' && <AlertIcon size={14} />}
    </span>
  )
}

function FailedActions({ bubble }: { bubble: Bubble }): ReactNode {
  const name = messageName(bubble)
  return (
    <p className="bubble-failure">
      <span>{bubble.failure}</span>
      <button type="button" className="link-button" data-action="retry" aria-label={`Tekrar dene: ${name}`}>
        Tekrar dene
      </button>
      <button type="button" className="link-button" data-action="discard" aria-label={`Sil: ${name}`}>
        Sil
      </button>
    </p>
  )
}

async function load(): Promise<void> {
  loaded.value ??= await loadLazy(() => import('../media/media-view.tsx'))
}

/**
 * The file of a message, whose view loads later: until then its place of the same size, blurred where there is a picture. By
 * attributes, because the page's policy forbids style attributes.
 */
function MessageMedia(props: { bubble: Bubble; media: BubbleMedia }): ReactNode {
  const part = useSignalValue(loaded, null)
  useEffect(() => void load(), [])
  if (part) return <part.MediaView {...props} />
  const { blur, mediaType } = props.media
  const size = fitMediaBox(props.media)
  return (
    <div className={mediaType === 'audio' ? 'media-audio' : 'media bubble-media'}>
      <svg {...size} viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
        {blur && <image {...size} preserveAspectRatio="xMidYMid slice" href={`data:image/webp;base64,${blur}`} />}
      </svg>
    </div>
  )
}
