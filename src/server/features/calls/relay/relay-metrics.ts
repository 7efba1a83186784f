import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '../../../kernel/operations/metrics.ts'
import type { RelayWorker } from './relay-worker.ts'
import { type CounterName, DROP_REASONS } from './shared-state.ts'

/** Registers the counters and gauges of the relay; they read the workers' shared memory at each scrape. */
export function registerRelayMetrics(metrics: Metrics, workers: readonly RelayWorker[]): void {
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
