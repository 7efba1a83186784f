/** The number of windows of a room's house. */
export const MAX_ACTIVITY_LEVEL = 8

/** The number of lit windows: one for the first user, and one more each time the users double. */
export function activityLevel(people: number): number {
  return people <= 0 ? 0 : Math.min(MAX_ACTIVITY_LEVEL, 1 + Math.floor(Math.log2(people)))
}
