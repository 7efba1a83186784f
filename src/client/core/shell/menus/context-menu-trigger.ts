import { showLoadingWhile } from '../../loading/loading-indicator.ts'
import { toastLoadFailure } from '../toasts/toast.ts'

/** Loads the code that opens the menu at a point of the window. */
export type LoadContextMenu = () => Promise<(point: { x: number; y: number }) => void>

/**
 * Opens the site's menu on a right click (specification 2, point 2, "Right-click menu"). The browser's own menu stays
 * in fields, on selected text, on external links, for a long press by touch, and while a modal is open.
 */
export function installContextMenuTrigger(page: Document, loadMenu: LoadContextMenu): void {
  page.addEventListener('contextmenu', (event) => {
    if (event.defaultPrevented || isNativeMenuWanted(event)) return
    event.preventDefault()
    const { clientX: x, clientY: y } = event
    showLoadingWhile(loadMenu()).then((showMenu) => showMenu({ x, y }), toastLoadFailure)
  })
}

function isNativeMenuWanted(event: MouseEvent): boolean {
  const { target } = event
  const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
  const isInField = target instanceof Element && target.closest('input, textarea, a[target=_blank], meydan-emoji')
  const hasSelection = getSelection()?.isCollapsed === false
  return isTouch || Boolean(isInField) || hasSelection || document.querySelector('dialog:modal') !== null
}
