import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitMediaBox } from './media-box.ts'

describe('the place of a picture in its bubble', () => {
  it('[DM-49] has the form of the picture, at most 260x320 px', () => {
    expect(fitMediaBox({ mediaType: 'image', width: 1600, height: 900 })).toEqual({ width: 260, height: 146 })
    expect(fitMediaBox({ mediaType: 'image', width: 900, height: 1600 })).toEqual({ width: 180, height: 320 })
    expect(fitMediaBox({ mediaType: 'image', width: 200, height: 150 })).toEqual({ width: 200, height: 150 })
  })

  it('[DM-49] is reserved for pictures of unknown size too', () => {
    expect(fitMediaBox({ mediaType: 'image', width: null, height: null })).toEqual({ width: 260, height: 195 })
    expect(fitMediaBox({ mediaType: 'image', width: 0, height: 10 })).toEqual({ width: 260, height: 195 })
  })

  it('[DM-49] has room for a button, however long or small the picture is', () => {
    const sides = fc.record({ width: fc.integer({ min: 1, max: 20_000 }), height: fc.integer({ min: 1, max: 20_000 }) })
    fc.assert(
      fc.property(sides, (picture) => {
        const { width, height } = fitMediaBox({ mediaType: 'image', ...picture })
        return width >= 120 && width <= 260 && height >= 72 && height <= 320
      }),
    )
  })
})
