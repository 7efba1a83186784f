import type { LegCredentials } from './worker-protocol.ts'

/** A transport address of a relay worker, as it stands in session descriptions. */
export interface RelayCandidate {
  transport: 'udp' | 'tcp'
  address: string
  port: number
}

export interface RelayLeg {
  readonly credentials: LegCredentials
  /** New credentials for an ICE restart; the earlier ones stay valid until the new ones check in. */
  restart(): LegCredentials
  /** Milliseconds since the last valid check; null before the first. Read from shared memory. */
  idleMs(): number | null
}

export interface RelayCall {
  readonly candidates: readonly RelayCandidate[]
  /** The caller's and the callee's. */
  readonly legs: readonly [RelayLeg, RelayLeg]
  /** Forwards nothing more when it returns, in any thread. Idempotent. */
  close(): void
}
