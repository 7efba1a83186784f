import pino from 'pino'
import type { RelayConfig } from '../../../kernel/config.ts'
import { createMetrics, type Metrics } from '../../../kernel/operations/metrics.ts'
import { createRelay, type Relay } from '../relay/relay.ts'
import type { RelayCall, RelayCandidate } from '../relay/relay-call.ts'
import { type CounterName, SharedRelayState } from '../relay/shared-state.ts'
import { type StartRelayThread, spawnRelayThread } from '../relay/spawn-relay-thread.ts'
import type { RelayLimits } from '../relay/worker-protocol.ts'

export const LOOPBACK_SETTINGS: RelayConfig = {
  port: 0,
  addresses: ['127.0.0.1'],
  hosts: [],
  workers: 1,
  maxCalls: 500,
}

export interface TestRelay {
  relay: Relay
  metrics: Metrics
  /** Opens a call that must not be refused; `dead` gets the legs that are reported. */
  openCall(dead?: number[]): { call: RelayCall; udp: RelayCandidate; tcp: RelayCandidate }
  /** A counter of the first worker's shared memory. */
  count(name: CounterName): number
}

/** A relay with its real thread and sockets, on loopback. */
export function openTestRelay(config: Partial<RelayConfig> = {}, limits: Partial<RelayLimits> = {}): TestRelay {
  const metrics = createMetrics()
  let state: SharedRelayState | null = null
  const startThread: StartRelayThread = (data, listeners) => {
    state ??= new SharedRelayState(data.maxCalls, data.buffer)
    return spawnRelayThread(data, listeners)
  }
  const relay = createRelay({
    config: { ...LOOPBACK_SETTINGS, ...config },
    log: pino({ level: 'silent' }),
    ...{ metrics, limits, startThread },
  })
  return {
    relay,
    metrics,
    openCall: (dead = []) => {
      const call = relay.openCall((leg) => dead.push(leg))
      if (!call) throw new Error('the call was refused')
      const [udp, tcp] = (['udp', 'tcp'] as const).map((wanted) => call.candidates.find((c) => c.transport === wanted))
      if (!(udp && tcp)) throw new Error('a candidate is missing')
      return { call, udp, tcp }
    },
    count: (name) => state?.read(name) ?? 0,
  }
}
