import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Logger } from 'pino'
import { Counter, Gauge } from 'prom-client'
import type { RelayConfig } from '../../../kernel/config.ts'
import type { Metrics } from '../../../kernel/operations/metrics.ts'
import type { RelayCall } from './relay-call.ts'
import { RelayWorker } from './relay-worker.ts'
import { type CounterName, DROP_REASONS, monotonicMs } from './shared-state.ts'
import { type StartRelayThread, spawnRelayThread } from './spawn-relay-thread.ts'
import { DEFAULT_RELAY_LIMITS, type RelayLimits } from './worker-protocol.ts'

type Interfaces = ReturnType<typeof networkInterfaces>

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
  config: RelayConfig
  log: Logger
  metrics: Metrics
  /** Differences from the default limits. */
  limits?: Partial<RelayLimits>
  /** Monotonic milliseconds. */
  now?: () => number
  startThread?: StartRelayThread
}

/** Creates the relay; its workers start with `warmUp` or the first call. */
export function createRelay({ config, log, metrics, ...options }: RelayOptions): Relay {
  const addresses = config.addresses.length > 0 ? config.addresses : findOwnAddresses()
  const hosts = config.hosts.length > 0 ? config.hosts : hostsFor(addresses)
  const workers = Array.from(
    { length: config.workers },
    (_, index) =>
      new RelayWorker({
        ...{ log, addresses, hosts, maxCalls: config.maxCalls },
        port: config.port === 0 ? null : config.port + index,
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

/** The first address of each family at which other machines reach this one, else loopback. */
export function findOwnAddresses(interfaces: Interfaces = networkInterfaces()): string[] {
  const external = Object.values(interfaces)
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, address }) => !internal && !/^(?:fe80|169\.254)[:.]/i.test(address))
    .map(({ address }) => address)
  const found = [external.find((address) => !isIPv6(address)), external.find((address) => isIPv6(address))]
  const addresses = found.filter((address) => address !== undefined)
  return addresses.length > 0 ? addresses : ['127.0.0.1']
}

/** What to bind for these public addresses: loopback as it is, else all interfaces of each family. */
export function hostsFor(addresses: readonly string[]): string[] {
  const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')
  if (addresses.every(isLoopback)) return [...new Set(addresses)]
  return [...new Set(addresses.map((address) => (isIPv6(address) ? '::' : '0.0.0.0')))]
}

/** Registers the counters and gauges of the relay; they read the workers' shared memory at each scrape. */
function registerRelayMetrics(metrics: Metrics, workers: readonly RelayWorker[]): void {
  const total = (name: CounterName) => workers.reduce((sum, { state }) => sum + (state?.read(name) ?? 0), 0)
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      ...{ name, help, registers: [] },
      collect() {
        this.set(value())
      },
    })
  const counter = (name: string, help: string, value: () => number) =>
    new Counter({
      ...{ name, help, registers: [] },
      collect() {
        this.reset()
        this.inc(value())
      },
    })
  const drops = new Counter({
    name: 'meydan_relay_dropped_packets_total',
    help: 'Packets that the relay did not pass on, by reason.',
    labelNames: ['reason'],
    registers: [],
    collect() {
      this.reset()
      for (const reason of DROP_REASONS) this.inc({ reason }, total(reason))
    },
  })
  metrics.register([
    gauge('meydan_relay_calls', 'Calls that the relay has open.', () =>
      workers.reduce((sum, { callCount }) => sum + callCount, 0),
    ),
    gauge('meydan_relay_legs', 'Sides of calls that have checked in.', () => total('nominatedLegs')),
    gauge('meydan_relay_tcp_connections', 'Connections to the relay over TCP.', () => total('tcpConnections')),
    counter('meydan_relay_packets_total', 'Packets of media that the relay has passed on.', () => total('packets')),
    counter('meydan_relay_bytes_total', 'Bytes of media that the relay has passed on.', () => total('bytes')),
    counter('meydan_relay_checks_total', 'Valid connectivity checks.', () => total('checks')),
    counter(
      'meydan_relay_cpu_seconds_total',
      'Processor time of the threads of the relay.',
      () => total('cpuMicroseconds') / 1e6,
    ),
    drops,
  ])
}
