import { live } from '../../core/live/state.ts'
import { loadPart } from '../../core/load-part.ts'
import { session } from '../../core/session/session.ts'

/** Counts the open reports while the viewer is a root admin. */
export function start(): void {
  const load = (): void => {
    if (session.isRootAdmin())
      void loadPart(() => import('./count-open-reports.ts')).then(({ countOpenReports }) => countOpenReports())
  }
  load()
  live.on('userProfileUpdated', load)
}
