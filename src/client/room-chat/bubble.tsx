import { type MouseEvent, memo, type ReactNode } from 'react'
import { AlertIcon, CheckIcon, ClockIcon } from '../ui/icons.tsx'
import { clockTime } from '../ui/turkish-time.ts'
import { type Bubble, discard, tryAgain } from './state.ts'
import { isEmojiOnly } from './timeline.ts'

interface BubbleViewProps {
  bubble: Bubble
  /** The name stands above it; otherwise it is said to those who only hear the page. */
  isNamed: boolean
  /** It came while the page was open. */
  isFresh: boolean
}

/** One message. Its place in the page stays the same from pending to kept. */
export const BubbleView = memo(function BubbleView({ bubble, isNamed, isFresh }: BubbleViewProps): ReactNode {
  const { key, content, status, sender } = bubble
  return (
    <div className="bubble-row" data-key={key} data-status={status} data-fresh={isFresh}>
      <div className={isEmojiOnly(content) ? 'bubble bubble--emoji' : 'bubble'}>
        {!isNamed && <span className="visually-hidden">{sender.username}: </span>}
        <span className="bubble-text">{content}</span>
        <BubbleFoot bubble={bubble} />
      </div>
      {status === 'failed' && <FailedActions bubbleKey={key} reason={bubble.failure} />}
    </div>
  )
})

function BubbleFoot({ bubble }: { bubble: Bubble }): ReactNode {
  return (
    <span className="bubble-foot">
      <time dateTime={new Date(bubble.createdAt).toISOString()}>{clockTime(bubble.createdAt)}</time>
      {bubble.isOwn && bubble.status === 'sent' && <CheckIcon size={14} />}
      {bubble.status === 'pending' && <ClockIcon size={14} />}
      {bubble.status === 'failed' && <AlertIcon size={14} />}
    </span>
  )
}

function FailedActions({ bubbleKey, reason }: { bubbleKey: string; reason: string | undefined }): ReactNode {
  const act = (run: (key: string) => void) => (event: MouseEvent<HTMLElement>) => {
    // The pressed button goes away, so the focus goes to the thread.
    event.currentTarget.closest<HTMLElement>('[role=log]')?.focus({ preventScroll: true })
    run(bubbleKey)
  }
  return (
    <p className="bubble-failure">
      <span>{reason ?? 'Mesaj gönderilemedi!'}</span>
      <button type="button" className="link-button" onClick={act(tryAgain)}>
        Tekrar dene
      </button>
      <button type="button" className="link-button" onClick={act(discard)}>
        Sil
      </button>
    </p>
  )
}
