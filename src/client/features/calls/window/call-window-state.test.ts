import { describe, expect, it } from 'vitest'
import { resizeBox } from './call-window-state.ts'

const viewport = { width: 1440, height: 900 }
const small = { width: 348, height: 140 }
const large = { width: 440, height: 400 }

describe('the box of a call', () => {
  it('[CALLUI-03] keeps the edges that are nearer to those of the viewport when its size changes', () => {
    const upperRight = { x: 1_000, y: 80, ...small }
    expect(resizeBox(upperRight, large, viewport)).toEqual({ x: 908, y: 80, ...large })
    const lowerLeft = { x: 20, y: 740, ...small }
    expect(resizeBox(lowerLeft, large, viewport)).toEqual({ x: 20, y: 480, ...large })
  })

  it('[CALLUI-03] is wholly in the viewport, and at its upper left where it does not fit', () => {
    expect(resizeBox({ x: 1_400, y: 880, ...small }, small, viewport)).toEqual({ x: 1_092, y: 760, ...small })
    expect(resizeBox({ x: -50, y: -50, ...small }, small, viewport)).toEqual({ x: 0, y: 0, ...small })
    const tiny = { width: 300, height: 200 }
    expect(resizeBox({ x: 100, y: 100, ...small }, large, tiny)).toEqual({ x: 0, y: 0, ...large })
  })
})
