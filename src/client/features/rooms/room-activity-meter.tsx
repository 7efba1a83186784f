import type { ReactNode } from 'react'
import { activityLevel, MAX_ACTIVITY_LEVEL } from './activity-level.ts'

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
