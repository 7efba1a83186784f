/** Width and height in pixels. */
export interface Size {
  width: number
  height: number
}

/** The largest and the smallest place of a picture in a bubble. */
const MAX_BOX: Size = { width: 260, height: 320 }
const MIN_BOX: Size = { width: 120, height: 72 }
/** Of pictures whose size is unknown. */
const FALLBACK: Size = { width: 260, height: 195 }

/**
 * The place of a picture or video in a bubble, reserved before it loads. Very long ones are cut, so that the place keeps
 * room for its button.
 */
export function fitMediaBox({ width, height }: { width: number | null; height: number | null }): Size {
  if (!width || !height) return FALLBACK
  // Small pictures grow to the smallest place only.
  const scale = Math.min(1, MAX_BOX.width / width, MAX_BOX.height / height)
  return {
    width: Math.round(Math.max(MIN_BOX.width, width * scale)),
    height: Math.round(Math.max(MIN_BOX.height, height * scale)),
  }
}
