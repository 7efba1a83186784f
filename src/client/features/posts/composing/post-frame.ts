import { MEDIUM_PX, THUMBNAIL_PX } from '../../../../shared/media/picture-sizes.ts'
import type { Post } from '../../../../shared/posts/post.ts'

type PhotoSizes = Pick<Post, 'url' | 'mediumUrl' | 'thumbnailUrl' | 'width' | 'height'>

/** Width by height of the widest and the tallest place of a photo or video; longer ones are cut at their edges. */
const MAX_RATIO = 1.91
const MIN_RATIO = 0.8
/** Of those whose size is unknown. */
const FALLBACK_RATIO = 4 / 3

/** The width by the height of a post's place, reserved before it loads. */
export function postFrame({ width, height }: Pick<Post, 'width' | 'height'>): number {
  if (!width || !height) return FALLBACK_RATIO
  return Math.min(MAX_RATIO, Math.max(MIN_RATIO, width / height))
}

/** The three sizes of a photo for `srcset`, with the width of each in pixels. */
export function srcSetOf({ url, mediumUrl, thumbnailUrl, width, height }: PhotoSizes): string | undefined {
  if (!width || !height) return undefined
  const within = (px: number): number => Math.round(width * Math.min(1, px / Math.max(width, height)))
  const sizes = [
    [thumbnailUrl, within(THUMBNAIL_PX)],
    [mediumUrl, within(MEDIUM_PX)],
    [url, width],
  ] as const
  return sizes.flatMap(([path, px]) => (path === null ? [] : [`${path} ${px}w`])).join(', ')
}
