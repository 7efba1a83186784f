import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import type { CommandEnvelope } from '../../database/writer-client.ts'
import type { Position } from '../replication/position.ts'

/** What a replica says to the primary. */
export type ReplicaMessage =
  | { kind: 'command'; id: number; envelope: CommandEnvelope; awaitReplicaAck: boolean }
  /** How far this region has come, about ten times a second while that changes. */
  | { kind: 'position'; position: Position }
  /** Asks how far the primary has come. */
  | { kind: 'getPosition'; id: number }
  | { kind: 'relay'; to: string | 'all'; topic: string; payload: unknown }

/** What the primary says to a replica. */
export type PrimaryMessage =
  | { kind: 'answer'; id: number; answer?: object; refusal?: RefusalBody; position: Position }
  /** Not the primary any more: it may or may not have happened. */
  | { kind: 'indeterminate'; id: number }
  /** An answer to `getPosition`; with id 0 once a second, unasked. */
  | { kind: 'position'; id: number; position: Position }
  | { kind: 'relay'; from: string; topic: string; payload: unknown }
  /** The regions that are linked now, the primary among them. */
  | { kind: 'regions'; regions: string[] }
  /** The primary ends: take the lease over once you are there. */
  | { kind: 'handOver'; position: Position }

/** A region that is linked to this primary. */
export interface LinkedRegion {
  readonly region: string
  /** Whether it may become the primary. */
  readonly isCandidate: boolean
  /** Where others reach its site. */
  readonly url: string
  /** The last position that it told, and null before. */
  position(): Position | null
  send(message: PrimaryMessage): void
}

/** The primary's end: takes links while it is the primary. */
export interface LinkServer {
  regions(): LinkedRegion[]
  onMessage(listener: (from: LinkedRegion, message: ReplicaMessage) => void): void
  onLinked(listener: (region: LinkedRegion) => void): void
  onUnlinked(listener: (region: LinkedRegion) => void): void
  /** Takes links from now on, or refuses and ends them. */
  setAccepting(isPrimary: boolean): void
  close(): void
}

/** A replica's end: keeps one line to whoever is the primary. */
export interface LinkClient {
  /** Dials this site from now on, and no other; null: nobody. */
  connectTo(url: string | null): void
  isLinked(): boolean
  /** False when it is not linked or too much waits: what must arrive is then for the caller to keep. */
  send(message: ReplicaMessage): boolean
  onMessage(listener: (message: PrimaryMessage) => void): void
  onLinked(listener: (hub: { region: string; url: string }) => void): void
  onUnlinked(listener: () => void): void
  /** The measured round trip in milliseconds, null while not linked. */
  roundTripMs(): number | null
  close(): void
}

/** The site's one clock: the primary's, as far as this region has learnt it. */
export interface ClusterClock {
  /** Epoch milliseconds. */
  now(): number
  /** What is added to this machine's own clock. */
  offsetMs(): number
  /** The primary said that it was this late there, between these two of our own moments (performance.now()). */
  addSample(theirs: number, askedAt: number, answeredAt: number): void
}
