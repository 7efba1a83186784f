import { live } from '../live/state.ts'
import { loadLazy } from '../loading/load-lazy.ts'
import { session } from '../session/session.ts'

/** Loads and runs this code once, as soon as the viewer is a root admin. */
export function runForRootAdmins(load: () => Promise<() => void>): void {
  let hasRun = false
  const check = (): void => {
    if (hasRun || !session.isRootAdmin()) return
    hasRun = true
    void loadLazy(load).then((run) => run())
  }
  check()
  live.on('userProfileUpdated', check)
}

/**
 * Fetches what only root admins see, now and whenever it may have been missed: after a resync, with an admin token, and when
 * the viewer's role changes. Where the viewer is no root admin any more, `reset` is called instead.
 */
export function keepFetched({ fetch, reset }: { fetch: () => Promise<void>; reset: () => void }): void {
  const refresh = (): void => {
    if (session.isRootAdmin()) void fetch()
    else reset()
  }
  live.on('resync', refresh)
  session.onAdminToken(refresh)
  live.on('userProfileUpdated', ({ user }) => {
    if (session.isSelf(user.id)) refresh()
  })
  refresh()
}
