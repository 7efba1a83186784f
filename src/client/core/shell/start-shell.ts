import { installFocusGuard } from '../ui/focus-guard.ts'
import { WIDE_SCREEN_QUERY } from '../ui/use-media-query.ts'
import { installUnloadPrompt } from '../unload-guard.ts'
import { installLeaveGuard } from './leave-guard.ts'
import { installContextMenuTrigger } from './menus/context-menu-trigger.ts'
import { loadBehindSkeleton } from './overlays/overlay-skeleton.tsx'
import { setOverlayRoot } from './overlays/overlays.ts'
import { closePanel } from './panels/panel-state.ts'
import { preloadToasts } from './toasts/toast.ts'

setOverlayRoot((show) => loadBehindSkeleton(() => import('./overlays/overlay-root.tsx'), show))

/** What features start when a page is idle: their `start.ts` exports it as `start`. */
const starts = import.meta.glob<() => void>('../../{core,model,features,page}/*/start.ts', {
  eager: true,
  import: 'start',
})

let isStarted = false

/** Installs the listeners of the shell and of the features once per document; the code of the shell's parts loads on demand. */
export function startShell(): void {
  if (isStarted) return
  isStarted = true
  installUnloadPrompt()
  installLeaveGuard()
  installContextMenuTrigger(document)
  preloadToasts()
  installFocusGuard(document)
  document.addEventListener('meydan:navigated', closePanelOnSmallScreen)
  for (const start of Object.values(starts)) start()
}

/** On a small screen a panel is a sheet, and sheets close on a navigation. */
function closePanelOnSmallScreen(): void {
  if (!matchMedia(WIDE_SCREEN_QUERY).matches) closePanel()
}
