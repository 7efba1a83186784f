import type { ReactNode } from 'react'
import { activityLevel, MAX_ACTIVITY_LEVEL } from './activity-level.ts'

/**
 * The front of a room's house: the more people are in it, the more windows are lit. Its styles, room-activity-meter.css, are part of
 * those of whoever shows it: a page's are not there on another one.
 */
export function RoomActivityMeter({ people }: { people: number }): ReactNode {
  const lit = activityLevel(people)
  return (
    <span className="windows" aria-hidden="true">
      {Array.from({ length: MAX_ACTIVITY_LEVEL }, (_, place) => (
        <span key={place} data-lit={place < lit} />
      ))}
    </span>
  )
}
