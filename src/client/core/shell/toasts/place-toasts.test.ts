import { expect, it } from 'vitest'
import { findFreeTop } from './place-toasts.ts'

const box = { left: 12, right: 372, top: 12, bottom: 132 }
const wide = (top: number, bottom: number) => ({ left: 0, right: 800, top, bottom })

it('[SHELL-81] leaves toasts where nothing is covered, also beside a title', () => {
  expect(findFreeTop(box, [], 400)).toBe(12)
  const beside = [
    { left: 372, right: 800, top: 0, bottom: 60 },
    { left: 0, right: 12, top: 0, bottom: 60 },
  ]
  expect(findFreeTop(box, [...beside, wide(132, 160), wide(0, 12)], 400)).toBe(12)
})

it('[SHELL-81] moves toasts below every title and close button that they would cover, in any order', () => {
  expect(findFreeTop(box, [wide(10, 60)], 400)).toBe(68)
  expect(findFreeTop(box, [wide(150, 200), wide(10, 60)], 400)).toBe(208)
  expect(findFreeTop(box, [wide(190, 220), wide(10, 60)], 400)).toBe(68)
})

it('[SHELL-81] leaves toasts at the top when no place in the upper half is free', () => {
  expect(findFreeTop(box, [wide(10, 410)], 400)).toBe(12)
})
