import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boundZoom,
  endSwipe,
  fitPicture,
  isBeside,
  lockAxis,
  panBy,
  pinch,
  UNZOOMED,
  type Zoom,
  zoomAt,
} from './zoom.ts'

const stage = { width: 400, height: 800 }
const frame = { stage, picture: fitPicture({ width: 4000, height: 2000 }, stage) }

describe('the zoom of the viewer', () => {
  it('shows the whole picture first, small ones at most twice their size', () => {
    expect(frame.picture).toEqual({ width: 400, height: 200 })
    expect(fitPicture({ width: 100, height: 50 }, stage)).toEqual({ width: 200, height: 100 })
  })

  it('[DM-53] keeps what is under the fingers or the pointer there', () => {
    const point = { x: 100, y: 20 }
    const zoomed = zoomAt(UNZOOMED, 6, point, frame)
    const underPoint = ({ scale, x, y }: Zoom) => ({ x: (point.x - x) / scale, y: (point.y - y) / scale })
    expect(underPoint(zoomed)).toEqual(point)
    const from = [
      { x: -10, y: 0 },
      { x: 10, y: 0 },
    ] as const
    const to = [
      { x: -40, y: 0 },
      { x: 40, y: 0 },
    ] as const
    expect(pinch(UNZOOMED, from, to, frame)).toEqual({ scale: 4, x: 0, y: 0 })
    expect(pinch({ scale: 4, x: 0, y: 0 }, to, from, frame)).toEqual(UNZOOMED)
  })

  it('[DM-53] goes from the whole picture to six times, and no further than its edges', () => {
    const anyZoom = fc.record({
      scale: fc.double({ min: 0.01, max: 100, noNaN: true }),
      x: fc.double({ min: -1e5, max: 1e5, noNaN: true }),
      y: fc.double({ min: -1e5, max: 1e5, noNaN: true }),
    })
    fc.assert(
      fc.property(anyZoom, (zoom) => {
        const { scale, x, y } = boundZoom(zoom, frame)
        expect(scale).toBeGreaterThanOrEqual(1)
        expect(scale).toBeLessThanOrEqual(6)
        expect(Math.abs(x)).toBeLessThanOrEqual(Math.max(0, (400 * scale - 400) / 2))
        expect(Math.abs(y)).toBeLessThanOrEqual(Math.max(0, (200 * scale - 800) / 2))
      }),
    )
    expect(panBy({ scale: 2, x: 0, y: 0 }, 1_000, 1_000, frame)).toEqual({ scale: 2, x: 200, y: 0 })
    expect(panBy(UNZOOMED, 50, 50, frame)).toEqual(UNZOOMED)
  })

  it('tells a press beside the picture from one on it', () => {
    expect(isBeside({ x: 0, y: 99 }, UNZOOMED, frame)).toBe(false)
    expect(isBeside({ x: 0, y: 101 }, UNZOOMED, frame)).toBe(true)
    expect(isBeside({ x: 0, y: 101 }, { scale: 2, x: 0, y: 0 }, frame)).toBe(false)
  })

  it('[DM-52] is swiped sideways to the neighbours and down to close, far or fast enough', () => {
    expect(lockAxis(30, 10)).toEqual({ x: 30, y: 0 })
    expect(lockAxis(10, 30)).toEqual({ x: 0, y: 30 })
    expect(lockAxis(0, -30)).toEqual({ x: 0, y: 0 })
    expect(endSwipe({ x: 90, y: 0 }, 1_000)).toBe('previous')
    expect(endSwipe({ x: -90, y: 0 }, 1_000)).toBe('next')
    expect(endSwipe({ x: 0, y: 90 }, 1_000)).toBe('close')
    expect(endSwipe({ x: -30, y: 0 }, 50)).toBe('next')
    expect(endSwipe({ x: -30, y: 0 }, 1_000)).toBe('stay')
    expect(endSwipe({ x: 20, y: 0 }, 1)).toBe('stay')
  })
})
