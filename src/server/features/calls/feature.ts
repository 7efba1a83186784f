import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { recentCalls } from '../../model/reports/sources/call.ts'
import { registerCallMetrics } from './call-metrics.ts'
import { CallService, calls } from './call-service.ts'
import { endCallsWithAccess } from './end-calls.ts'
import { requestCall, signalHandlers } from './live-handlers.ts'
import { createRelay } from './relay/relay.ts'
import { rewriteDescription } from './sdp.ts'

/** Voice and video calls of two users. */
export function createFeature({ appContext, peerBus }: FeatureContext): Feature {
  const { settings, log, metrics } = appContext
  const relay = createRelay({ settings: settings.relay, log, metrics })
  const onEnded = registerCallMetrics(metrics, () => service.host)
  const service = new CallService(appContext, peerBus, { relay, rewriteDescription, onEnded })
  endCallsWithAccess(appContext, service.host)
  return {
    handlers: { dmVoiceCallRequest: requestCall(service), ...signalHandlers(service) },
    services: [calls.providedBy(service), recentCalls.providedBy(service.recent)],
    live: { onHello: ({ connection }) => ({ afterAnswer: () => service.announceConnection(connection) }) },
    onStopping: () => service.host.close(),
    close: () => {
      service.close()
      void relay.close()
    },
  }
}
