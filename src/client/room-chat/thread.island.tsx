import { Fragment, type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { RoomPageProps } from '../../shared/rooms/page.ts'
import { showRoom } from '../rooms/shown-room.ts'
import { sayNotOpened } from '../shell/toast.ts'
import { DownIcon } from '../ui/icons.tsx'
import { countText } from '../ui/turkish-number.ts'
import { dayName } from '../ui/turkish-time.ts'
import { useFrameSignal, useSignal } from '../use-signal.ts'
import { BubbleGroup } from './bubble-group.tsx'
import { bubblesOf } from './bubbles.ts'
import { latestOnly } from './past.ts'
import {
  type Bubble,
  bubbles as bubblesSignal,
  latest as latestSignal,
  leavePast,
  messages,
  openPast,
  openRoom,
  readAt,
  viewerName as viewerNameSignal,
} from './state.ts'
import { ThreadStart } from './thread-start.tsx'
import { type Day, type DrawnKeys, drawnKeys, groupByDay, keepGroupKeys } from './timeline.ts'
import { lineKey } from './unread.ts'
import { useReading } from './use-reading.ts'
import './thread.css'

/** What is said in the room, newest at the bottom. */
export function Thread(page: RoomPageProps): ReactNode {
  const { room, serverTime } = page
  useLayoutEffect(() => {
    openRoom(page)
    showRoom(page.room)
  }, [page])

  const viewerName = useSignal(viewerNameSignal, page.viewer.username)
  const rendered = useMemo(() => bubblesOf(page.messages, page.viewer.id), [page])
  const bubbles = useFrameSignal(bubblesSignal, rendered)
  const latest = useFrameSignal(latestSignal, rendered)
  const atFirst = useMemo(() => latestOnly(page.messages.length), [page])
  const past = useFrameSignal(messages.past, atFirst)
  const isApart = past.upTo !== null
  const { scroller, reading, isAtEnd, goToEnd } = useReading({
    bubbles: latest,
    isApart,
    onLeave: openPast,
    onMove: readAt,
    onEnd: leavePast,
  })
  const pages = usePages(!past.isStart, isAtEnd)
  useDeeds(scroller)
  const lineAfter = lineKey(reading, bubbles)
  const days = useDays(bubbles, lineAfter)
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
        aria-live={past.isOlder ? 'off' : undefined}
        aria-label={`#${room.name} mesajları`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        tabIndex={0}
      >
        <div className="thread-content">
          {past.isStart || bubbles.length === 0 ? (
            <ThreadStart room={room} isEmpty={bubbles.length === 0} />
          ) : (
            <div className="past-place">
              {/* At the end the first message goes with each that comes, though nothing was loaded before it. */}
              {pages && <pages.PastPage key={isAtEnd ? 'end' : bubbles[0]?.key} side="older" isAuto={!isAtEnd} />}
            </div>
          )}
          {days.map((day) => (
            <DayOfThread
              key={day.key}
              day={day}
              now={now}
              freshFrom={serverTime}
              lineAfter={lineAfter}
              viewerName={viewerName}
            />
          ))}
          {isApart && (
            <div className="past-place">
              {pages && <pages.PastPage key={bubbles.at(-1)?.key} side="newer" isAuto={true} />}
            </div>
          )}
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className="to-end" onClick={goToEnd}>
          <DownIcon size={18} />
          {reading.unread > 0 ? (
            `${countText(reading.unread)} yeni mesaj`
          ) : (
            <span className="visually-hidden">En alta in</span>
          )}
        </button>
      )}
    </div>
  )
}

/** The bubbles in days and groups, each of which is drawn as what it was before. */
function useDays(bubbles: readonly Bubble[], lineAfter: string | null): Day[] {
  const drawn = useRef<DrawnKeys>(new Map())
  const days = useMemo(() => keepGroupKeys(groupByDay(bubbles, lineAfter), drawn.current), [bubbles, lineAfter])
  useLayoutEffect(() => {
    drawn.current = drawnKeys(days)
  }, [days])
  return days
}

/** What goes on loading is loaded where there is more; what could not be is tried again when the reader moves. */
function usePages(isWanted: boolean, isAtEnd: boolean) {
  const [pages, setPages] = useState<typeof import('./past-page.tsx') | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a move of the reader tries again
  useEffect(() => {
    if (isWanted && !pages) import('./past-page.tsx').then(setPages, console.error)
  }, [isWanted, pages, isAtEnd])
  return pages
}

/**
 * What one does with messages is loaded once they can be read; a press that comes before it waits for it, and tries
 * again where it could not be loaded.
 */
function useDeeds(thread: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = thread
    if (!current) return
    const ended = new AbortController()
    let isFollowed = false
    const load = async () => {
      const deeds = await import('./deeds.ts')
      if (!isFollowed) deeds.followSwipes(current, ended.signal)
      isFollowed = true
      return deeds
    }
    const press = ({ target }: Event): void => {
      const isDeed = target instanceof Element && target.closest('.bubble-reply, [data-jump]')
      if (isDeed) load().then((deeds) => deeds.press(target), sayNotOpened)
    }
    current.addEventListener('click', press, { signal: ended.signal })
    // Not now, while React puts the thread in its place: asking for a file takes a slow phone 20 ms.
    setTimeout(() => load().catch(console.error))
    return () => ended.abort()
  }, [thread])
}

interface DayProps {
  day: Day
  now: number
  /** Bubbles from this moment on came while the page was open. */
  freshFrom: number
  lineAfter: string | null
  viewerName: string
}

function DayOfThread({ day, now, lineAfter, ...around }: DayProps): ReactNode {
  return (
    <section className="day">
      <h2 className="day-name">
        <span>{dayName(day.at, now)}</span>
      </h2>
      {day.groups.map((group) => (
        <Fragment key={group.key}>
          <BubbleGroup group={group} {...around} />
          {group.bubbles.at(-1)?.key === lineAfter && <p className="new-line">Yeni mesajlar</p>}
        </Fragment>
      ))}
    </section>
  )
}
