/** Up to this width a window fills the screen (specification 1, point 9), and on a phone that lies on its side. */
export const FULL_SCREEN_QUERY = '(max-width: 768px), (max-height: 480px) and (pointer: coarse)'

/** A floating window's place, in pixels of the viewport. */
export interface WindowRect {
  x: number
  y: number
  width: number
  height: number
}

export interface Size {
  width: number
  height: number
}

/** An arrow key moves or resizes a window by this. */
const KEY_STEP_PX = 20

const arrows: Record<string, readonly [dx: number, dy: number]> = {
  ArrowLeft: [-KEY_STEP_PX, 0],
  ArrowRight: [KEY_STEP_PX, 0],
  ArrowUp: [0, -KEY_STEP_PX],
  ArrowDown: [0, KEY_STEP_PX],
}

/** By how many pixels a key moves a window; null for keys other than arrows. */
export function arrowStep(key: string): readonly [dx: number, dy: number] | null {
  return arrows[key] ?? null
}

export function viewportSize(): Size {
  return { width: innerWidth, height: innerHeight }
}

/** The window moved wholly into the viewport; one that is larger keeps its upper left corner in view. */
export function moveInside(rect: WindowRect, viewport: Size): WindowRect {
  const right = Math.max(0, viewport.width - rect.width)
  const bottom = Math.max(0, viewport.height - rect.height)
  return { ...rect, x: Math.round(clamp(rect.x, 0, right)), y: Math.round(clamp(rect.y, 0, bottom)) }
}

export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value))
}
