import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { registerCallMetrics } from './call-metrics.ts'
import { CallService } from './call-service.ts'
import { endCallsWithAccess } from './end-calls.ts'
import { requestCall, signalHandlers } from './live-handlers.ts'
import { createRelay } from './relay/relay.ts'
import { rewriteDescription } from './sdp.ts'

declare module '../../kernel/feature.ts' {
  interface FeatureServices {
    calls: CallService
  }
}

/** Voice and video calls of two users. */
export function createFeature({ appContext, peerBus }: FeatureContext): Feature {
  const { settings, log, metrics } = appContext
  const relay = createRelay({ settings: settings.relay, log, metrics })
  const onEnded = registerCallMetrics(metrics, () => calls.host)
  const calls = new CallService(appContext, peerBus, { relay, rewriteDescription, onEnded })
  endCallsWithAccess(appContext, calls.host)
  return {
    handlers: { dmVoiceCallRequest: requestCall(calls), ...signalHandlers(calls) },
    services: { calls },
    onStopping: () => calls.host.close(),
    close: () => {
      calls.close()
      void relay.close()
    },
  }
}
