import { browserEnvironment } from '../../../core/platform/environment.ts'
import { signal } from '../../../core/signals/signal.ts'
import { WIDE_SCREEN_QUERY } from '../../../core/ui/use-media-query.ts'
import { moveInside, type Size, type WindowRect } from '../../../core/ui/windows/floating-rect.ts'

/** Whether a phone shows the call as a bar, so that the page can be used. */
export const isCallMinimised = signal(false)
/** Whether the box of a desktop is large. */
export const isCallEnlarged = signal(false)

/** Where the box was left, in the browser's storage. */
const PLACE_KEY = 'callWindow'
const MARGIN_PX = 16
/** The header of the page and a side panel stay free (styles/tokens.css). */
const HEADER_PX = 65
const SIDE_PANEL_PX = 384
/** The box before it is measured: that of a voice call. */
const INITIAL_BOX: Size = { width: 348, height: 180 }

/** Where the box is: where it was left, else at the upper right beside the side panel. */
export function restoreBoxRect(viewport: Size): WindowRect {
  return moveInside(storedRect() ?? { ...initialPlace(viewport), ...INITIAL_BOX }, viewport)
}

/** Remembers where the box was left. */
export function storeBoxRect(rect: WindowRect): void {
  browserEnvironment.browserStorage.set(PLACE_KEY, JSON.stringify(rect))
}

function storedRect(): WindowRect | null {
  try {
    const { x, y, width, height } = JSON.parse(browserEnvironment.browserStorage.get(PLACE_KEY) ?? 'null') ?? {}
    return [x, y, width, height].every(Number.isFinite) ? { x, y, width, height } : null
  } catch {
    // A value that cannot be read is as good as none.
    return null
  }
}

function initialPlace(viewport: Size): { x: number; y: number } {
  const panel = matchMedia(WIDE_SCREEN_QUERY).matches ? SIDE_PANEL_PX : 0
  return { x: viewport.width - panel - MARGIN_PX - INITIAL_BOX.width, y: HEADER_PX + MARGIN_PX }
}

/**
 * The box with a new size, wholly in the viewport: the edges that are nearer to those of the viewport stay where they are,
 * so that one at the right grows to the left.
 */
export function resizeBox(rect: WindowRect, size: Size, viewport: Size): WindowRect {
  const isRight = rect.x + rect.width / 2 > viewport.width / 2
  const isLow = rect.y + rect.height / 2 > viewport.height / 2
  const x = isRight ? rect.x + rect.width - size.width : rect.x
  const y = isLow ? rect.y + rect.height - size.height : rect.y
  return moveInside({ x, y, ...size }, viewport)
}
