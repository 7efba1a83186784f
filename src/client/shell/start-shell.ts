import { installFocusGuard } from '../ui/focus-guard.ts'
import { WIDE_SCREEN_QUERY } from '../ui/use-media-query.ts'
import { installUnloadPrompt } from '../unload-guard.ts'
import { installContextMenuTrigger } from './menus/context-menu-trigger.ts'
import { setOverlayRoot } from './overlays/overlays.ts'
import { closePanel } from './panels/panel-state.ts'
import { preloadToasts } from './toasts/toast.ts'

setOverlayRoot(() => import('./overlays/overlay-root.tsx'))

let isStarted = false

/** Installs the shell's listeners once per document; the code of its parts loads on demand. */
export function startShell(): void {
  if (isStarted) return
  isStarted = true
  installUnloadPrompt()
  installContextMenuTrigger(document)
  preloadToasts()
  installFocusGuard(document)
  document.addEventListener('meydan:navigated', closePanelOnSmallScreen)
}

/** On a small screen a panel is a sheet, and sheets close on a navigation. */
function closePanelOnSmallScreen(): void {
  if (!matchMedia(WIDE_SCREEN_QUERY).matches) closePanel()
}
