import type { Roster } from './roster.ts'
import { type RosterReceivers, receiversOf } from './roster-listeners.ts'
import { visitorStream } from './streams.ts'

/** Sends the number of users on the site to those whose view of it has changed since the last call. */
export function publishSiteCounts(receivers: RosterReceivers, site: Roster): void {
  for (const view of site.allViews()) {
    if (view.isCountPublished) continue
    view.publishedRevision = view.revision
    const visitors = receiversOf(receivers, visitorStream, view)
    receivers.publisher.sendEphemeral(visitors, 'activeUsersCount', { count: view.size })
  }
  site.closeUnneededViews()
}
