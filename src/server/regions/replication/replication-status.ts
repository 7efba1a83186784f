import type { Position } from './position.ts'

/** What this region stands on, and how sure it can be of what it shows. */
export interface ReplicationStatus {
  role(): 'primary' | 'replica'
  /** The name of the primary, null while nobody is known to be. */
  primaryRegion(): string | null
  position(): Position
  /** Milliseconds behind what is known of the primary; null while there is no line to one. */
  lagMs(): number | null
  /**
   * Resolves true once this region shows everything that the primary had when it was asked, false when that cannot be
   * known in time: then what is not found here may be there all the same.
   */
  waitUntilFresh(): Promise<boolean>
  /** Why nobody should be sent here yet, or null. */
  notReadyReason(): string | null
}
