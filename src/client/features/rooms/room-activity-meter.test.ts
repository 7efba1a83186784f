import { expect, test } from 'vitest'
import { activityLevel } from './room-activity-meter.tsx'

test.each([
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
  [64, 7],
  [128, 8],
  [100_000, 8],
])('gives %i users level %i', (people, lit) => {
  expect(activityLevel(people)).toBe(lit)
})
