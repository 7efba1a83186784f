import { session } from '../accounts/session.ts'
import { live } from '../live/state.ts'
import { loadPart } from '../load-part.ts'

/** Counts open alerts and waiting texts while the viewer is a root admin. */
export function start(): void {
  const load = (): void => {
    if (session.isRootAdmin()) void loadPart(() => import('./count-open.ts')).then(({ countOpen }) => countOpen())
  }
  load()
  live.on('userProfileUpdated', load)
}
