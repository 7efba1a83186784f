/** A menu stays this far from the edges of the window (specification 2, point 2, "Right-click menu"). */
export const MENU_MARGIN = 10

interface Size {
  width: number
  height: number
}

/** The top left corner of a menu: at the point, moved as far as needed to stay inside the window. In pixels. */
export function placeMenu(point: { x: number; y: number }, menu: Size, window: Size): { x: number; y: number } {
  return {
    x: Math.max(MENU_MARGIN, Math.min(point.x, window.width - menu.width - MENU_MARGIN)),
    y: Math.max(MENU_MARGIN, Math.min(point.y, window.height - menu.height - MENU_MARGIN)),
  }
}
