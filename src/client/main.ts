import { startSession } from './accounts/start-session.ts'
import { hydrateIslands } from './hydrate.ts'

/** What was rendered is seen first: on a slow phone this would stand before it. A tab that nobody sees draws nothing. */
function runAfterFirstPaint(run: () => void): void {
  if (document.hidden) run()
  else requestAnimationFrame(() => setTimeout(run))
}

startSession()
runAfterFirstPaint(() => {
  hydrateIslands(document)
  // Until it is there, and on all other pages, a link is the browser's own to follow.
  if (location.pathname.startsWith('/room/')) {
    import('./navigate.ts').then(({ startNavigation }) => startNavigation(), console.error)
  }
})
