import { installUnloadPrompt } from '../navigation/unload-guard.ts'
import { installFocusGuard } from '../ui/focus-guard.ts'
import { WIDE_SCREEN_QUERY } from '../ui/use-media-query.ts'
import { installLeaveGuard } from './leave-guard.ts'
import { installContextMenuTrigger, type LoadContextMenu } from './menus/context-menu-trigger.ts'
import { closePanel } from './panels/panel-state.ts'
import { preloadToasts } from './toasts/toast.ts'

/** What the page adds to the shell. */
interface PageParts {
  loadContextMenu: LoadContextMenu
  /** What features start when a page is idle. */
  starts: readonly (() => void)[]
}

let isStarted = false

/** Installs the listeners of the shell and of the features once per document; the code of the shell's parts loads on demand. */
export function startShell({ loadContextMenu, starts }: PageParts): void {
  if (isStarted) return
  isStarted = true
  installUnloadPrompt()
  installLeaveGuard()
  installContextMenuTrigger(document, loadContextMenu)
  preloadToasts()
  installFocusGuard(document)
  document.addEventListener('meydan:navigated', closePanelOnSmallScreen)
  for (const start of starts) start()
}

/** On a small screen a panel is a sheet, and sheets close on a navigation. */
function closePanelOnSmallScreen(): void {
  if (!matchMedia(WIDE_SCREEN_QUERY).matches) closePanel()
}
