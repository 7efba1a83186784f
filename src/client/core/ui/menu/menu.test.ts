import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MENU_MARGIN, placeMenu } from './menu.tsx'

const window = { width: 800, height: 600 }
const menu = { width: 220, height: 100 }

it('[SHELL-07] places a menu at the point when it fits', () => {
  expect(placeMenu({ x: 300, y: 200 }, menu, window)).toEqual({ x: 300, y: 200 })
})

it('[SHELL-07] keeps a menu 10 px inside the window for every point', () => {
  const anywhere = fc.record({ x: fc.integer({ min: -50, max: 900 }), y: fc.integer({ min: -50, max: 700 }) })
  fc.assert(
    fc.property(anywhere, (point) => {
      const { x, y } = placeMenu(point, menu, window)
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(MENU_MARGIN)
      expect(x + menu.width).toBeLessThanOrEqual(window.width - MENU_MARGIN)
      expect(y + menu.height).toBeLessThanOrEqual(window.height - MENU_MARGIN)
    }),
  )
})

it('shows the top left corner of a menu in a window that is too small', () => {
  expect(placeMenu({ x: 50, y: 50 }, menu, { width: 200, height: 90 })).toEqual({ x: MENU_MARGIN, y: MENU_MARGIN })
})
