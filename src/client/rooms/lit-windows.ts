/** How many windows a room's house has. */
export const WINDOWS = 8

/** How many of them are lit: one for the first person, and one more each time the people double. */
export function litWindows(people: number): number {
  return people <= 0 ? 0 : Math.min(WINDOWS, 1 + Math.floor(Math.log2(people)))
}
