import { Counter, Gauge } from 'prom-client'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import type { Metrics } from '../../kernel/operations/metrics.ts'
import { recentCalls } from '../../model/reports/sources/call.ts'
import type { CallHost, CallOutcome } from './call-host.ts'
import { CallService } from './call-service.ts'
import { endCallsWithAccess } from './end-calls.ts'
import { requestCall, signalHandlers } from './live-handlers.ts'
import { createRelay } from './relay/relay.ts'
import { rewriteDescription } from './sdp.ts'

/** Voice and video calls of two users. */
export function createFeature({ appContext, peerBus }: FeatureContext): Feature {
  const { config, log, metrics } = appContext
  const relay = createRelay({ config: config.relay, log, metrics })
  const onEnded = registerCallMetrics(metrics, () => service.host)
  const service = new CallService(appContext, peerBus, { relay, rewriteDescription, onEnded })
  endCallsWithAccess(appContext, service.host)
  return {
    handlers: { dmVoiceCallRequest: requestCall(service), ...signalHandlers(service) },
    services: [recentCalls.providedBy(service.recent)],
    live: { onHello: ({ connection }) => ({ afterAnswer: () => service.announceConnection(connection) }) },
    onStopping: () => service.host.close(),
    close: () => {
      service.close()
      void relay.close()
    },
  }
}

/** Registers the figures of the calls that a region hosts. Returns what counts their ends. */
function registerCallMetrics(metrics: Metrics, host: () => CallHost): (outcome: CallOutcome) => void {
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
