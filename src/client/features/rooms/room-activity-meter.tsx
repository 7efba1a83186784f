import type { ReactNode } from 'react'

/** The highest activity level: the number of windows in the meter. */
const MAX_ACTIVITY_LEVEL = 8

/**
 * A room's activity as lit windows. Each page that shows it includes room-activity-meter.css in its own styles, because
 * pages do not load each other's styles.
 */
export function RoomActivityMeter({ people }: { people: number }): ReactNode {
  const lit = activityLevel(people)
  return (
    <span className="activity-meter" aria-hidden="true">
      {Array.from({ length: MAX_ACTIVITY_LEVEL }, (_, place) => (
        <span key={place} data-lit={place < lit} />
      ))}
    </span>
  )
}

/** The level of a room, from 0: one for the first user, and one more each time the number of users doubles. */
export function activityLevel(people: number): number {
  return people <= 0 ? 0 : Math.min(MAX_ACTIVITY_LEVEL, 1 + Math.floor(Math.log2(people)))
}
