import { Fragment, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import { dayName } from '../../ui/format/turkish-time.ts'
import type { Bubble } from '../store/bubble.ts'
import { BubbleGroup } from './bubble-group.tsx'
import { groupIntoDays, type RunKeys, reuseRunKeys, runKeysOf, type TimelineDay } from './timeline.ts'

interface TimelineProps {
  bubbles: readonly Bubble[]
  /** The bubble before the unread divider. */
  dividerAfterKey: string | null
  /** When the server rendered the page: later bubbles came while it was open. */
  renderedAt: number
  viewerName: string
}

/** Bubbles in days and runs. */
export function Timeline({ bubbles, dividerAfterKey, renderedAt, viewerName }: TimelineProps): ReactNode {
  const days = useTimelineDays(bubbles, dividerAfterKey)
  // After midnight an open thread shows the new day with its next message.
  const now = Math.max(renderedAt, bubbles.at(-1)?.createdAt ?? 0)
  return days.map((day) => (
    <section key={day.key} className="day">
      <h2 className="day-name">
        <span>{dayName(day.startsAt, now)}</span>
      </h2>
      {day.runs.map((run) => (
        <Fragment key={run.key}>
          <BubbleGroup run={run} renderedAt={renderedAt} viewerName={viewerName} />
          {run.bubbles.at(-1)?.key === dividerAfterKey && <p className="unread-divider">Yeni mesajlar</p>}
        </Fragment>
      ))}
    </section>
  ))
}

/** Days and runs keep their keys while messages are added on either side. */
function useTimelineDays(bubbles: readonly Bubble[], dividerAfterKey: string | null): TimelineDay[] {
  const drawn = useRef<RunKeys>(new Map())
  const days = useMemo(
    () => reuseRunKeys(groupIntoDays(bubbles, dividerAfterKey), drawn.current),
    [bubbles, dividerAfterKey],
  )
  useLayoutEffect(() => {
    drawn.current = runKeysOf(days)
  }, [days])
  return days
}
