import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '../../kernel/operations/metrics.ts'
import type { CallHost, CallOutcome } from './call-host.ts'

/** Registers the figures of the calls that a region hosts. Returns what counts their ends. */
export function registerCallMetrics(metrics: Metrics, host: () => CallHost): (outcome: CallOutcome) => void {
  const ends = new Counter({
    name: 'meydan_call_ends_total',
    help: 'Calls that this region hosted, by how they ended.',
    labelNames: ['outcome'],
    registers: [],
  })
  const calls = new Gauge({
    name: 'meydan_hosted_calls',
    help: 'Calls that this region hosts, by phase.',
    labelNames: ['phase'],
    registers: [],
    collect() {
      const hosted = host().list()
      const active = hosted.filter(({ connectedAt }) => connectedAt !== null).length
      this.set({ phase: 'active' }, active)
      this.set({ phase: 'ringing' }, hosted.length - active)
    },
  })
  metrics.register([ends, calls])
  return (outcome) => ends.inc({ outcome })
}
