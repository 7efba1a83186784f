/** How many windows a room's house has. */
export const MAX_ACTIVITY_LEVEL = 8

/** How many of them are lit: one for the first person, and one more each time the people double. */
export function activityLevel(people: number): number {
  return people <= 0 ? 0 : Math.min(MAX_ACTIVITY_LEVEL, 1 + Math.floor(Math.log2(people)))
}
