import { openModals } from './dialogs/open-modals.ts'

/**
 * Moves a `popover="manual"` with its container into the topmost modal, outside of which everything is inert, and shows it
 * last in the top layer while it has content. To be called when its content changes, and when `openModals` does.
 */
export function moveToTopLayer(popover: HTMLElement | null): void {
  const root = popover?.parentElement
  if (!root) return
  const container = openModals.peek().findLast(({ isConnected }) => isConnected) ?? document.body
  if (root.parentElement !== container) container.append(root)
  // Showing the popover again would remove the focus from its content.
  else if (root.contains(document.activeElement)) return
  if (!('popover' in popover)) return
  popover.hidePopover()
  if (popover.hasChildNodes()) popover.showPopover()
}
