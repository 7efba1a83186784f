import type { WriteRoute } from './command-router.ts'
import type { LinkServer } from './link/link-server.ts'
import type { PeerBus } from './peer-bus.ts'
import type { PositionWaiter } from './replication/position-waiter.ts'
import type { ReplicationStatus } from './replication/replication-status.ts'

/** How this region takes part in the site: as a single node, or as a member of a cluster. */
export interface Topology {
  replicationStatus: ReplicationStatus
  peerBus: PeerBus
  /** The cluster clock, in epoch milliseconds. */
  clock: () => number
  /** The current route to the writer; null without one. */
  writeRoute: () => WriteRoute | null
  /** The URLs of the sites of linked regions. */
  peerSiteUrls: () => string[]
  linkServer: LinkServer | null
  positionWaiter: PositionWaiter
  /** Takes the current role. Commands can run afterwards. */
  start: (listeners: TopologyListeners) => Promise<void>
  /** Hands the lease to another region if this one has it and a candidate is linked. */
  handOver: () => Promise<void>
  close: () => void
}

/** What other services do when the topology changes; called from `start` on. */
export interface TopologyListeners {
  /** There may be another route to the writer, or none. */
  onWriteRouteChange: () => void
  /** A transaction became visible in this region. */
  onTransaction: () => void
  /** This region is about to take the lease over, and may fetch missing files first; bounded in time. */
  onBeforePromotion: () => Promise<unknown>
  /** This region is the primary from now on. */
  onPromoted: () => Promise<void>
}
