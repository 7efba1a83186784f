import { clamp, moveInside, type Size, type WindowRect } from '../../../core/ui/windows/floating-rect.ts'

/** Sides that a drag moves: -1 the left or upper one, 1 the right or lower one, 0 none. */
export interface ResizeSides {
  horizontal: -1 | 0 | 1
  vertical: -1 | 0 | 1
}

/** Specification 1, point 9. */
const MIN_WINDOW: Size = { width: 250, height: 300 }
const MAX_WINDOW: Size = { width: 1200, height: 1000 }
const DEFAULT_WINDOW: Size = { width: 300, height: 400 }

const MARGIN_PX = 16
/** Each further window is shifted by this. */
const CASCADE_PX = 32
/** This much of the header stays in reach. */
const REACHABLE_PX = 80
const HEADER_PX = 56

/** Where a new window opens: at the lower right, shifted for each that is open. */
export function initialRect(openCount: number, viewport: Size): WindowRect {
  const shift = (openCount % 6) * (DEFAULT_WINDOW.width + MARGIN_PX)
  const x = viewport.width - DEFAULT_WINDOW.width - MARGIN_PX - shift
  const y = viewport.height - DEFAULT_WINDOW.height - MARGIN_PX
  const isOutside = x < MARGIN_PX
  const cascade = openCount * CASCADE_PX
  const rect = { x: isOutside ? MARGIN_PX + cascade : x, y: isOutside ? y - cascade : y, ...DEFAULT_WINDOW }
  return keepReachable(rect, viewport)
}

export function moveRect(rect: WindowRect, dx: number, dy: number, viewport: Size): WindowRect {
  return keepReachable({ ...rect, x: rect.x + dx, y: rect.y + dy }, viewport)
}

/** Moves the given sides; the opposite ones stay where they are. */
export function resizeRect(rect: WindowRect, sides: ResizeSides, dx: number, dy: number): WindowRect {
  const width = clamp(rect.width + sides.horizontal * dx, MIN_WINDOW.width, MAX_WINDOW.width)
  const height = clamp(rect.height + sides.vertical * dy, MIN_WINDOW.height, MAX_WINDOW.height)
  return {
    x: sides.horizontal < 0 ? rect.x + rect.width - width : rect.x,
    y: sides.vertical < 0 ? Math.max(0, rect.y + rect.height - height) : rect.y,
    width,
    height,
  }
}

/** The window moved so that its header stays in reach, and no larger than the viewport allows. */
export function keepReachable(rect: WindowRect, viewport: Size): WindowRect {
  const width = clamp(Math.min(rect.width, viewport.width), MIN_WINDOW.width, MAX_WINDOW.width)
  const height = clamp(Math.min(rect.height, viewport.height), MIN_WINDOW.height, MAX_WINDOW.height)
  return {
    x: Math.round(clamp(rect.x, REACHABLE_PX - width, viewport.width - REACHABLE_PX)),
    y: Math.round(clamp(rect.y, 0, Math.max(0, viewport.height - HEADER_PX))),
    width: Math.round(width),
    height: Math.round(height),
  }
}

/** The window moved wholly into the viewport: a user moves it across an edge, a smaller screen does not. */
export function keepInView(rect: WindowRect, viewport: Size): WindowRect {
  return moveInside(keepReachable(rect, viewport), viewport)
}
