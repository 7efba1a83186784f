import { describe, expect, it } from 'vitest'
import { createPost } from '../testing/post-fixtures.ts'
import { postFrame, srcSetOf } from './post-frame.ts'

describe('the place of a photo or video', () => {
  it.each([
    [1200, 900, 4 / 3],
    [4000, 100, 1.91],
    [100, 4000, 0.8],
    [null, null, 4 / 3],
  ])('[POST-52] of %s by %s pixels has the ratio %d before it loads', (width, height, ratio) => {
    expect(postFrame({ width, height })).toBe(ratio)
  })

  it('[POST-52] offers a photo in its three sizes, with their widths', () => {
    expect(srcSetOf(createPost(1, { width: 1024, height: 2048 }))).toBe(
      '/uploads/1-small.webp 240w, /uploads/1-medium.webp 540w, /uploads/1.webp 1024w',
    )
    expect(srcSetOf(createPost(1, { width: 300, height: 200 }))).toBe(
      '/uploads/1-small.webp 300w, /uploads/1-medium.webp 300w, /uploads/1.webp 300w',
    )
    expect(srcSetOf(createPost(1, { width: null }))).toBeUndefined()
  })
})
