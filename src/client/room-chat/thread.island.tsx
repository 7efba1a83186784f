import { Fragment, type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import { bubblesOf } from '../conversation/store/bubbles.ts'
import { initialScrollback } from '../conversation/store/scrollback.ts'
import { BubbleGroup } from '../conversation/thread/bubble-group.tsx'
import { findDividerKey } from '../conversation/thread/read-state.ts'
import {
  groupIntoDays,
  type RunKeys,
  reuseRunKeys,
  runKeysOf,
  type TimelineDay,
} from '../conversation/thread/timeline.ts'
import { useScrollAnchor } from '../conversation/thread/use-scroll-anchor.ts'
import { showRoom } from '../rooms/shown-room.ts'
import { toastLoadFailure } from '../shell/toasts/toast.ts'
import { countText } from '../ui/format/turkish-number.ts'
import { dayName } from '../ui/format/turkish-time.ts'
import { DownIcon } from '../ui/icons.tsx'
import { useFrameSignalValue, useSignalValue } from '../use-signal-value.ts'
import {
  type Bubble,
  bubbles as bubblesSignal,
  enterScrollback,
  latestBubbles as latestSignal,
  leaveScrollback,
  messageStore,
  openRoom,
  setScrollAnchor,
  viewerName as viewerNameSignal,
} from './state.ts'
import { ThreadStart } from './thread-start.tsx'
import '../conversation/thread/thread.css'

/** What is said in the room, newest at the bottom. */
export function Thread(page: RoomPageProps): ReactNode {
  const { room, serverTime } = page
  useLayoutEffect(() => {
    openRoom(page)
    showRoom(page.room)
  }, [page])

  const viewerName = useSignalValue(viewerNameSignal, page.viewer.username)
  const rendered = useMemo(() => bubblesOf(page.messages, page.viewer.id), [page])
  const bubbles = useFrameSignalValue(bubblesSignal, rendered)
  const latest = useFrameSignalValue(latestSignal, rendered)
  const atFirst = useMemo(() => initialScrollback(page.messages.length), [page])
  const past = useFrameSignalValue(messageStore.scrollback, atFirst)
  const isApart = past.gapAfterId !== null
  const { scroller, readState, isAtEnd, scrollToEnd } = useScrollAnchor({
    bubbles: latest,
    hasGap: isApart,
    onLeaveEnd: enterScrollback,
    onAnchorMove: setScrollAnchor,
    onEnd: leaveScrollback,
  })
  const pages = useLazyLoadMore(!past.isAtStart, isAtEnd)
  useMessageActions(scroller)
  const lineAfter = findDividerKey(readState, bubbles)
  const days = useTimeline(bubbles, lineAfter)
  // A thread that lies open past midnight learns of the new day by what is said on it.
  const now = Math.max(serverTime, bubbles.at(-1)?.createdAt ?? 0)

  return (
    <div className="thread-frame">
      <div
        ref={scroller}
        className="thread"
        data-end={isAtEnd}
        role="log"
        // What was said earlier is read, not announced.
        aria-live={past.showsOlder ? 'off' : undefined}
        aria-label={`#${room.name} mesajları`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        tabIndex={0}
      >
        <div className="thread-content">
          {past.isAtStart || bubbles.length === 0 ? (
            <ThreadStart room={room} isEmpty={bubbles.length === 0} />
          ) : (
            <div className="past-place">
              {/* At the end the first message goes with each that comes, though nothing was loaded before it. */}
              {pages && <pages.LoadMore key={isAtEnd ? 'end' : bubbles[0]?.key} side="older" isAuto={!isAtEnd} />}
            </div>
          )}
          {days.map((day) => (
            <DaySection
              key={day.key}
              day={day}
              now={now}
              renderedAt={serverTime}
              dividerAfterKey={lineAfter}
              viewerName={viewerName}
            />
          ))}
          {isApart && (
            <div className="past-place">
              {pages && <pages.LoadMore key={bubbles.at(-1)?.key} side="newer" isAuto={true} />}
            </div>
          )}
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className="to-end" onClick={scrollToEnd}>
          <DownIcon size={18} />
          {readState.unreadCount > 0 ? (
            `${countText(readState.unreadCount)} yeni mesaj`
          ) : (
            <span className="visually-hidden">En alta in</span>
          )}
        </button>
      )}
    </div>
  )
}

/** The bubbles in days and groups, each of which is drawn as what it was before. */
function useTimeline(bubbles: readonly Bubble[], lineAfter: string | null): TimelineDay[] {
  const drawn = useRef<RunKeys>(new Map())
  const days = useMemo(() => reuseRunKeys(groupIntoDays(bubbles, lineAfter), drawn.current), [bubbles, lineAfter])
  useLayoutEffect(() => {
    drawn.current = runKeysOf(days)
  }, [days])
  return days
}

/** What goes on loading is loaded where there is more; what could not be is tried again when the reader moves. */
function useLazyLoadMore(isWanted: boolean, isAtEnd: boolean) {
  const [pages, setPages] = useState<typeof import('../conversation/thread/load-more.tsx') | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a move of the reader tries again
  useEffect(() => {
    if (isWanted && !pages) import('../conversation/thread/load-more.tsx').then(setPages, console.error)
  }, [isWanted, pages, isAtEnd])
  return pages
}

/**
 * What one does with messages is loaded once they can be read; a press that comes before it waits for it, and tries
 * again where it could not be loaded.
 */
function useMessageActions(thread: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = thread
    if (!current) return
    const ended = new AbortController()
    let isFollowed = false
    const load = async () => {
      const deeds = await import('../conversation/thread/message-actions.ts')
      if (!isFollowed) deeds.enableSwipeReply(current, ended.signal)
      isFollowed = true
      return deeds
    }
    const press = ({ target }: Event): void => {
      const isDeed = target instanceof Element && target.closest('.bubble-reply, [data-jump]')
      if (isDeed) load().then((deeds) => deeds.handleThreadClick(target), toastLoadFailure)
    }
    current.addEventListener('click', press, { signal: ended.signal })
    // Not now, while React puts the thread in its place: asking for a file takes a slow phone 20 ms.
    setTimeout(() => load().catch(console.error))
    return () => ended.abort()
  }, [thread])
}

interface DaySectionProps {
  day: TimelineDay
  now: number
  /** Bubbles from this moment on came while the page was open. */
  renderedAt: number
  dividerAfterKey: string | null
  viewerName: string
}

function DaySection({ day, now, dividerAfterKey, ...around }: DaySectionProps): ReactNode {
  return (
    <section className="day">
      <h2 className="day-name">
        <span>{dayName(day.startsAt, now)}</span>
      </h2>
      {day.runs.map((group) => (
        <Fragment key={group.key}>
          <BubbleGroup run={group} {...around} />
          {group.bubbles.at(-1)?.key === dividerAfterKey && <p className="new-line">Yeni mesajlar</p>}
        </Fragment>
      ))}
    </section>
  )
}
