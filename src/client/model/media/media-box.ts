import type { Media } from '../../../shared/media/media.ts'

/** Width and height in pixels. */
export interface Size {
  width: number
  height: number
}

/** The largest and the smallest place of a picture in a bubble. */
const MAX_BOX: Size = { width: 260, height: 320 }
const MIN_BOX: Size = { width: 120, height: 72 }
/** The player of a recording is as high; its width is that of its parent. */
const AUDIO_BOX: Size = { width: 200, height: 44 }
/** Of pictures whose size is unknown. */
const FALLBACK: Size = { width: 260, height: 195 }

/**
 * The place of a picture or video in a bubble, reserved before it loads. Very long ones are cut, so that the place keeps
 * room for its button.
 */
export function fitMediaBox({ mediaType, width, height }: Pick<Media, 'mediaType' | 'width' | 'height'>): Size {
  if (mediaType === 'audio') return AUDIO_BOX
  if (!width || !height) return FALLBACK
  // Small pictures grow to the smallest place only.
  const scale = Math.min(1, MAX_BOX.width / width, MAX_BOX.height / height)
  return {
    width: Math.round(Math.max(MIN_BOX.width, width * scale)),
    height: Math.round(Math.max(MIN_BOX.height, height * scale)),
  }
}
