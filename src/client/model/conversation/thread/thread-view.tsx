import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import { useFrameSignalValue, useSignalValue } from '../../../core/signals/use-signal-value.ts'
import type { Conversation } from '../conversation.ts'
import { ConversationContext } from '../conversation-context.ts'
import { bubblesOf } from '../store/merge-messages.ts'
import type { BubbleSender, ConversationMessage } from '../store/message-types.ts'
import { initialScrollback } from '../store/scrollback.ts'
import { findDividerKey } from './read-state.ts'
import { Timeline } from './timeline-view.tsx'
import { useScrollAnchor } from './use-scroll-anchor.ts'
import '../store/quote-of-message.ts'
import './thread.css'
import { useLazy } from '../../../core/loading/use-lazy.ts'
import { toastLoadFailure } from '../../../core/shell/toasts/toast.ts'

type ThreadExtras = typeof import('./thread-extras.lazy.tsx')

const loadExtras = (): Promise<ThreadExtras> => import('./thread-extras.lazy.tsx')

interface ThreadViewProps {
  conversation: Conversation
  /** The state that the server rendered. */
  initial: {
    messages: readonly ConversationMessage[]
    viewer: BubbleSender
    /** Epoch milliseconds: later messages came while the page was open. */
    serverTime: number
  }
  /** Its accessible name. */
  label: string
  /** Content before the first message. */
  renderStart: (isEmpty: boolean) => ReactNode
}

/** The messages of a conversation, the newest at the bottom. */
export function ThreadView({ conversation, initial, label, renderStart }: ThreadViewProps): ReactNode {
  const { bubbles, latest, scrollback, viewerName } = useThread(conversation, initial)
  const hasGap = scrollback.gapAfterId !== null
  const { scroller, readState, isAtEnd, scrollToEnd } = useScrollAnchor(conversation, { bubbles: latest, hasGap })
  const extras = useThreadExtras(scroller, conversation)
  const edgeKey = useEdgeKey(bubbles[0]?.key, isAtEnd)
  const isEmpty = bubbles.length === 0
  return (
    <ConversationContext value={conversation}>
      <div className="thread-frame">
        <div
          ref={scroller}
          className="thread"
          data-conversation={conversation.key}
          data-end={isAtEnd}
          role="log"
          // Older messages are read, not announced.
          aria-live={scrollback.showsOlder ? 'off' : undefined}
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reachable by keyboard
          tabIndex={0}
        >
          <div className="thread-content">
            {scrollback.isAtStart || isEmpty ? (
              renderStart(isEmpty)
            ) : (
              <div className="load-more-place">
                {extras && <extras.LoadMore key={edgeKey} side="older" isAuto={!isAtEnd} />}
              </div>
            )}
            <Timeline
              bubbles={bubbles}
              dividerAfterKey={findDividerKey(readState, bubbles)}
              renderedAt={initial.serverTime}
              viewerName={viewerName}
            />
            {hasGap && (
              <div className="load-more-place">
                {extras && <extras.LoadMore key={bubbles.at(-1)?.key} side="newer" isAuto={true} />}
              </div>
            )}
          </div>
        </div>
        {extras && <extras.ThreadMenu thread={scroller} />}
        {!isAtEnd && extras && <extras.ToEndButton unreadCount={readState.unreadCount} onPress={scrollToEnd} />}
      </div>
    </ConversationContext>
  )
}

/**
 * Changes when older messages were loaded. At the end the first message changes with each new one, though nothing was loaded
 * before it.
 */
function useEdgeKey(firstKey: string | undefined, isAtEnd: boolean): string | undefined {
  const edge = useRef({ key: firstKey, firstKey })
  if (edge.current.firstKey !== firstKey) edge.current = { key: isAtEnd ? edge.current.key : firstKey, firstKey }
  return edge.current.key
}

/** The state of a conversation; until it is open, that which the server rendered. */
function useThread(conversation: Conversation, { messages, viewer }: ThreadViewProps['initial']) {
  const viewerName = useSignalValue(conversation.viewerName, viewer.username)
  const rendered = useMemo(() => bubblesOf(messages, viewer.id), [messages, viewer])
  const bubbles = useFrameSignalValue(conversation.bubbles, rendered)
  const latest = useFrameSignalValue(conversation.latest, rendered)
  const renderedScrollback = useMemo(() => initialScrollback(messages.length), [messages])
  const scrollback = useFrameSignalValue(conversation.store.scrollback, renderedScrollback)
  return { bubbles, latest, scrollback, viewerName }
}

/**
 * Loads the parts of a thread that can wait until it is drawn. A click that needs them waits for them.
 */
function useThreadExtras(thread: RefObject<HTMLElement | null>, conversation: Conversation): ThreadExtras | null {
  const extras = useLazy(loadExtras)

  // Before paint: clicks that were recorded before hydration are replayed right after it.
  useLayoutEffect(() => {
    const { current } = thread
    if (!current) return
    const ended = new AbortController()
    extras?.enableMessageActions(current, conversation, ended.signal)
    const press = ({ target }: Event): void => {
      if (target instanceof Element && target.closest('.bubble-reply, [data-jump], [data-action]'))
        loadExtras().then((loaded) => loaded.handleThreadClick(current, conversation, target), toastLoadFailure)
    }
    current.addEventListener('click', press, { signal: ended.signal })
    return () => ended.abort()
  }, [thread, conversation, extras])
  return extras
}
