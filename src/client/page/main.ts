import { hydrateIslands } from '../core/islands/hydrate.ts'
import { loadLazy } from '../core/loading/load-lazy.ts'
import { checkForms } from '../core/ui/forms/check-forms.ts'
import { startSession } from '../features/accounts/sessions/start-session.ts'

/** Lets the server's HTML paint first: on a slow phone hydration would delay it. A hidden tab does not paint. */
function runAfterFirstPaint(run: () => void): void {
  if (document.hidden) run()
  else requestAnimationFrame(() => setTimeout(run))
}

/**
 * The page of a room has no form that works without its islands, so all of it waits for the first paint. The islands are
 * a task of their own: with the session it would be a long one on a slow phone.
 */
function startRoom(): void {
  startSession()
  checkForms(document)
  setTimeout(startIslandsAndNavigation)
}

function startIslandsAndNavigation(): void {
  hydrateIslands(document)
  // Until it is loaded, and on all other pages, the browser follows links itself. A stranger's page of a room needs no React.
  void loadLazy(() => import('../core/navigation/navigate.ts')).then(({ startNavigation }) => startNavigation())
}

if (document.querySelector('main[data-page="room/[id]"]')) {
  runAfterFirstPaint(startRoom)
} else {
  startSession()
  checkForms(document)
  runAfterFirstPaint(() => hydrateIslands(document))
}
