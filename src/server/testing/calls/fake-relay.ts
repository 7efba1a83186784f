import type { Relay } from '../../features/calls/relay/relay.ts'
import type { RelayCall } from '../../features/calls/relay/relay-call.ts'
import type { LegCredentials } from '../../features/calls/relay/worker-protocol.ts'

/** A relay that forwards nothing and keeps what was opened. */
export interface FakeRelay extends Pick<Relay, 'openCall' | 'warmUp'> {
  calls: FakeRelayCall[]
  /** Opens no call any more. */
  isFull: boolean
  openCount(): number
}

export interface FakeRelayCall extends RelayCall {
  isOpen: boolean
  /** The relay has lost a leg. */
  die(leg: 0 | 1): void
}

export function createFakeRelay(): FakeRelay {
  let lastCredentials = 0
  const newCredentials = (): LegCredentials => {
    const number = ++lastCredentials
    return { usernameFragment: `relay${number}`, password: `password-of-leg-${number}`.padEnd(22, '0') }
  }
  const createLeg = () => {
    const leg = {
      credentials: newCredentials(),
      restart: () => (leg.credentials = newCredentials()),
      idleMs: () => 0,
    }
    return leg
  }
  const relay: FakeRelay = {
    calls: [],
    isFull: false,
    openCount: () => relay.calls.filter(({ isOpen }) => isOpen).length,
    warmUp: async () => true,
    openCall: (onDead) => {
      if (relay.isFull) return null
      const call: FakeRelayCall = {
        candidates: [{ transport: 'udp', address: '192.0.2.1', port: 3478 }],
        legs: [createLeg(), createLeg()],
        isOpen: true,
        close: () => {
          call.isOpen = false
        },
        die: onDead,
      }
      relay.calls.push(call)
      return call
    },
  }
  return relay
}
