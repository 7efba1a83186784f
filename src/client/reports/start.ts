import { session } from '../accounts/session.ts'
import { live } from '../live/state.ts'
import { loadPart } from '../load-part.ts'

/** Counts the open reports while the viewer is a root admin. */
export function start(): void {
  const load = (): void => {
    if (session.isRootAdmin())
      void loadPart(() => import('./count-open-reports.ts')).then(({ countOpenReports }) => countOpenReports())
  }
  load()
  live.on('userProfileUpdated', load)
}
