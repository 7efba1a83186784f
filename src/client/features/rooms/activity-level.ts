/** The highest activity level: the number of windows in the meter. */
export const MAX_ACTIVITY_LEVEL = 8

/** The level of a room, from 0: one for the first user, and one more each time the number of users doubles. */
export function activityLevel(people: number): number {
  return people <= 0 ? 0 : Math.min(MAX_ACTIVITY_LEVEL, 1 + Math.floor(Math.log2(people)))
}
