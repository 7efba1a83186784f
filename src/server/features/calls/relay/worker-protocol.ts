export type LegIndex = 0 | 1

/** Short-term credentials of a leg (RFC 8445, section 5.3). */
export interface LegCredentials {
  usernameFragment: string
  password: string
}

/** Bounds of a relay worker; tests and benchmarks set others. */
export interface RelayLimits {
  /** What one leg may send in a second, and at once. */
  packetsPerSecond: number
  bytesPerSecond: number
  /** Integrity checks a second for sources that have not checked in: of one address, for one leg, and in all. */
  strangerChecksPerAddress: number
  strangerChecksPerLeg: number
  strangerChecks: number
  /** Checks a second that a leg may send from a source that has checked in. */
  checksPerLeg: number
  /** Connections over TCP: in all, of one address, and those without a valid check. */
  tcpConnections: number
  tcpConnectionsPerAddress: number
  tcpPending: number
  /** Milliseconds within which a connection must bring a valid check, and for which its backlog may be full. */
  tcpCheckTimeoutMs: number
  tcpStallTimeoutMs: number
  /** Bytes that wait for a slow reader; media beyond them is dropped. */
  tcpBacklogBytes: number
}

export const DEFAULT_RELAY_LIMITS: RelayLimits = {
  // 10 Mbit/s: video of 5 Mbit/s with retransmissions and the bursts in which browsers probe for bandwidth.
  packetsPerSecond: 2_000,
  bytesPerSecond: 1_250_000,
  strangerChecksPerAddress: 100,
  // Browsers begin 20 checks a second (RFC 8445, section 14.2).
  strangerChecksPerLeg: 50,
  strangerChecks: 2_000,
  checksPerLeg: 100,
  tcpConnections: 1_024,
  tcpConnectionsPerAddress: 64,
  tcpPending: 128,
  tcpCheckTimeoutMs: 5_000,
  tcpStallTimeoutMs: 5_000,
  tcpBacklogBytes: 128 * 1024,
}

/** What a worker is started with. */
export interface RelayThreadData {
  /** Memory of a `SharedRelayState`. */
  buffer: SharedArrayBuffer
  maxCalls: number
  port: number
  /** Addresses to bind. */
  hosts: string[]
  limits: RelayLimits
}

export type ToRelayThread =
  | { kind: 'open'; slot: number; credentials: [LegCredentials, LegCredentials] }
  | { kind: 'restart'; slot: number; leg: LegIndex; credentials: LegCredentials }
  | { kind: 'close'; slot: number }
  | { kind: 'stop' }

export type FromRelayThread =
  | { kind: 'listening' }
  /** A socket could not be bound; the worker ends. `code` is that of the system's error. */
  | { kind: 'bindFailed'; code: string; host: string; port: number }
  /** Nothing of the slot's call is left in the worker. */
  | { kind: 'freed'; slot: number }
  /** An error of a socket that is bound, told at most once a minute. */
  | { kind: 'socketError'; message: string }
