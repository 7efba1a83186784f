import { memo, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import { dayName } from '../../../core/ui/format/turkish-time.ts'
import { StarIcon } from '../../../core/ui/icons.tsx'
import { Avatar, tintClass } from '../../../core/ui/person/avatar.tsx'
import type { Bubble } from '../store/message-types.ts'
import { BubbleView } from './message-bubble.tsx'
import { type BubbleRun, groupIntoDays, type RunKeys, reuseRunKeys, runKeysOf, type TimelineDay } from './timeline.ts'

interface TimelineProps {
  bubbles: readonly Bubble[]
  /** The bubble before the unread divider. */
  dividerAfterKey: string | null
  /** When the server rendered the page, in epoch milliseconds. */
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
      <h2>
        <span>{dayName(day.startsAt, now)}</span>
      </h2>
      {day.runs.map((run) => (
        <BubbleGroup
          key={run.key}
          run={run}
          viewerName={viewerName}
          hasDivider={run.bubbles.at(-1)?.key === dividerAfterKey}
        />
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

interface BubbleGroupProps {
  run: BubbleRun
  viewerName: string
  /** Whether the unread divider follows it. */
  hasDivider: boolean
}

/** A run of bubbles: the avatar and the name once, then the bubbles. Redrawn only when one of them changes. */
const BubbleGroup = memo(function BubbleGroup(props: BubbleGroupProps): ReactNode {
  const { run, viewerName, hasDivider } = props
  const { sender, isOwn, bubbles } = run
  return (
    <>
      <div className={isOwn ? 'group group--own' : 'group'}>
        {!isOwn && (
          <div className="group-avatar" data-person={sender.username}>
            <Avatar user={sender} size={40} />
          </div>
        )}
        <div className="group-bubbles">
          {!isOwn && (
            <p className={`group-name ${tintClass(sender.id)}`}>
              {/* A click on an element that names a person opens the profile. */}
              <button type="button" className="group-person" data-person={sender.username} aria-haspopup="dialog">
                <bdi>{sender.username}</bdi>
              </button>
              {sender.role === 'rootadmin' && (
                <span className="accent" role="img" aria-label="Root Admin" title="Root Admin">
                  <StarIcon />
                </span>
              )}
            </p>
          )}
          {bubbles.map((bubble, index) => (
            <BubbleView
              key={bubble.key}
              bubble={bubble}
              hasVisibleName={index === 0 && !isOwn}
              viewerName={viewerName}
            />
          ))}
        </div>
      </div>
      {hasDivider && <p className="unread-divider">Yeni mesajlar</p>}
    </>
  )
}, areGroupPropsEqual)

/** Bubbles are immutable: the same object has the same content. */
function areGroupPropsEqual(before: BubbleGroupProps, now: BubbleGroupProps): boolean {
  const { bubbles } = before.run
  return (
    before.viewerName === now.viewerName &&
    before.hasDivider === now.hasDivider &&
    bubbles.length === now.run.bubbles.length &&
    bubbles.every((bubble, index) => bubble === now.run.bubbles[index])
  )
}
