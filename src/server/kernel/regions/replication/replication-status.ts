import type { Position } from '../../database/position.ts'

/** This region's role, position and lag. */
export interface ReplicationStatus {
  role(): 'primary' | 'replica'
  /** The name of the primary; null while none is known. */
  primaryRegion(): string | null
  position(): Position
  /** Milliseconds behind the primary's last known position; null on a replica without a link. */
  lagMs(): number | null
  /**
   * Resolves true once this region has everything that the primary had at the call, false when that is not known in
   * time: a missing row may then exist on the primary.
   */
  waitUntilFresh(): Promise<boolean>
  /** Why a load balancer must not send users here yet; null when ready. */
  notReadyReason(): string | null
}
