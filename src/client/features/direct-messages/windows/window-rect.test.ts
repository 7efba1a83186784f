import { describe, expect, it } from 'vitest'
import { initialRect, keepInView, keepReachable, moveRect, resizeRect } from './window-rect.ts'

const viewport = { width: 1440, height: 900 }

describe('the place of a window', () => {
  it('[DM-21] is 300x400 at the lower right at first, and each further one is beside it', () => {
    const [first, second] = [initialRect(0, viewport), initialRect(1, viewport)]
    expect(first).toEqual({ x: 1124, y: 484, width: 300, height: 400 })
    expect(second.x + second.width).toBeLessThanOrEqual(first.x)
    for (let count = 0; count < 20; count++) {
      const rect = initialRect(count, { width: 800, height: 600 })
      expect(rect).toEqual(keepReachable(rect, { width: 800, height: 600 }))
    }
  })

  it('[DM-21] is resized between 250x300 and 1200x1000, and the opposite sides stay', () => {
    const rect = { x: 500, y: 300, width: 300, height: 400 }
    const [corner, opposite] = [
      { horizontal: 1, vertical: 1 },
      { horizontal: -1, vertical: -1 },
    ] as const
    expect(resizeRect(rect, corner, -500, -500)).toEqual({ ...rect, width: 250, height: 300 })
    expect(resizeRect(rect, corner, 5_000, 5_000)).toEqual({ ...rect, width: 1_200, height: 1_000 })
    expect(resizeRect(rect, opposite, -100, -100)).toEqual({ x: 400, y: 200, width: 400, height: 500 })
    expect(resizeRect(rect, opposite, 500, 500)).toEqual({ x: 550, y: 400, width: 250, height: 300 })
    expect(resizeRect(rect, { horizontal: 0, vertical: 1 }, 50, 50)).toEqual({ ...rect, height: 450 })
  })

  it('[DM-21] is wholly in view after the screen becomes smaller', () => {
    const rect = { x: 1_124, y: 484, width: 300, height: 400 }
    expect(keepInView(rect, viewport)).toEqual(rect)
    expect(keepInView(rect, { width: 1_000, height: 420 })).toEqual({ ...rect, x: 700, y: 20 })
    expect(keepInView({ ...rect, x: -200 }, { width: 800, height: 280 })).toEqual({
      x: 0,
      y: 0,
      width: 300,
      height: 300,
    })
  })

  it('[DM-21] keeps the header in reach, wherever it is moved and however small the screen becomes', () => {
    const rect = { x: 500, y: 300, width: 300, height: 400 }
    expect(moveRect(rect, -5_000, -5_000, viewport)).toEqual({ ...rect, x: -220, y: 0 })
    expect(moveRect(rect, 5_000, 5_000, viewport)).toEqual({ ...rect, x: 1_360, y: 844 })
    expect(keepReachable({ ...rect, x: 1_300, width: 1_100 }, { width: 800, height: 500 })).toMatchObject({
      x: 720,
      width: 800,
    })
  })
})
