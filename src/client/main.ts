import { startSession } from './accounts/start-session.ts'
import { checkForms } from './check-forms.ts'
import { hydrateIslands } from './hydrate.ts'
import { loadPart } from './load-part.ts'

/** Lets the server's HTML paint first: on a slow phone hydration would delay it. A hidden tab does not paint. */
function runAfterFirstPaint(run: () => void): void {
  if (document.hidden) run()
  else requestAnimationFrame(() => setTimeout(run))
}

startSession()
checkForms(document)
runAfterFirstPaint(() => {
  hydrateIslands(document)
  // Until it is loaded, and on all other pages, the browser follows links itself. A stranger's page of a room needs no React.
  if (document.querySelector('main[data-page="room/[id]"]')) {
    void loadPart(() => import('./navigate.ts')).then(({ startNavigation }) => startNavigation())
  }
})
