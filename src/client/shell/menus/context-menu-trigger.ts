import { showLoadingWhile } from '../../loading-indicator.ts'
import { toastLoadFailure } from '../toasts/toast.ts'

/**
 * Offers the site's menu in place of the browser's (specification 2, point 2, "Right-click menu"), but leaves the
 * browser's own where nothing else can do what it does: in fields, on marked text, on links to elsewhere, for a long
 * press of a finger, and while something modal lies over the page.
 */
export function installContextMenuTrigger(page: Document): void {
  page.addEventListener('contextmenu', (event) => {
    if (event.defaultPrevented || isNativeMenuWanted(event)) return
    event.preventDefault()
    const { clientX: x, clientY: y } = event
    showLoadingWhile(import('./context-menu.tsx')).then(
      ({ showContextMenu }) => showContextMenu({ x, y }),
      toastLoadFailure,
    )
  })
}

function isNativeMenuWanted(event: MouseEvent): boolean {
  const { target } = event
  const isFinger = event instanceof PointerEvent && event.pointerType === 'touch'
  const isInField = target instanceof Element && target.closest('input, textarea, a[target=_blank], meydan-emoji')
  const hasMarked = getSelection()?.isCollapsed === false
  return isFinger || Boolean(isInField) || hasMarked || document.querySelector('dialog:modal') !== null
}
