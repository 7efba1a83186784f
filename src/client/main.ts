import { startSession } from './accounts/start-session.ts'
import { hydrateIslands } from './hydrate.ts'

startSession()
hydrateIslands(document)
// Until it is there, and on all other pages, a link is the browser's own to follow.
if (location.pathname.startsWith('/room/')) {
  import('./navigate.ts').then(({ startNavigation }) => startNavigation(), console.error)
}
