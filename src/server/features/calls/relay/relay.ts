import type { Logger } from 'pino'
import type { RelaySettings } from '../../../kernel/config.ts'
import type { Metrics } from '../../../kernel/operations/metrics.ts'
import { findOwnAddresses, hostsFor } from './addresses.ts'
import type { RelayCall } from './relay-call.ts'
import { registerRelayMetrics } from './relay-metrics.ts'
import { RelayWorker } from './relay-worker.ts'
import { monotonicMs } from './shared-state.ts'
import { type StartRelayThread, spawnRelayThread } from './spawn-relay-thread.ts'
import { DEFAULT_RELAY_LIMITS, type RelayLimits } from './worker-protocol.ts'

/** The media relay of this region: both browsers of a call send to it, and neither learns the other's address. */
export interface Relay {
  /** Starts the workers ahead of the first call. Resolves to whether calls can be opened. */
  warmUp(): Promise<boolean>
  /**
   * Synchronous: credentials are made here and posted to the worker. Null when the relay is full or its port cannot be bound.
   * `onDead` is called once: a leg that had checked in has had no valid check for 20 s, or none ever came within 30 s, or the
   * worker has died. The call is closed then.
   */
  openCall(onDead: (leg: 0 | 1) => void): RelayCall | null
  /** Closes all calls without `onDead` and ends the workers. */
  close(): Promise<void>
}

export interface RelayOptions {
  settings: RelaySettings
  log: Logger
  metrics: Metrics
  /** Differences from the default limits. */
  limits?: Partial<RelayLimits>
  /** Monotonic milliseconds. */
  now?: () => number
  startThread?: StartRelayThread
}

/** Creates the relay; its workers start with `warmUp` or the first call. */
export function createRelay({ settings, log, metrics, ...options }: RelayOptions): Relay {
  const addresses = settings.addresses.length > 0 ? settings.addresses : findOwnAddresses()
  const hosts = settings.hosts.length > 0 ? settings.hosts : hostsFor(addresses)
  const workers = Array.from(
    { length: settings.workers },
    (_, index) =>
      new RelayWorker({
        ...{ log, addresses, hosts, maxCalls: settings.maxCalls },
        port: settings.port === 0 ? null : settings.port + index,
        limits: { ...DEFAULT_RELAY_LIMITS, ...options.limits },
        now: options.now ?? monotonicMs,
        startThread: options.startThread ?? spawnRelayThread,
      }),
  )
  registerRelayMetrics(metrics, workers)
  return {
    warmUp: async () => (await Promise.all(workers.map((worker) => worker.warmUp()))).some(Boolean),
    openCall: (onDead) => {
      const byLoad = workers.toSorted((one, other) => one.callCount - other.callCount)
      for (const worker of byLoad) {
        const call = worker.openCall(onDead)
        if (call) return call
      }
      return null
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}
