import { Forwarder } from '../relay/forwarder.ts'
import { type CounterName, SharedRelayState } from '../relay/shared-state.ts'
import type { Endpoint } from '../relay/source-table.ts'
import { DEFAULT_RELAY_LIMITS, type LegCredentials, type LegIndex, type RelayLimits } from '../relay/worker-protocol.ts'
import { type CheckOptions, encodeCheck, mediaNumber } from './ice-client.ts'

export interface SentPacket {
  data: Buffer
  port: number
  address: string
}

/** Addresses of documentation (RFC 5737): nothing is sent to them. */
export const CALLER = '192.0.2.1'
export const CALLEE = '198.51.100.2'

/** A forwarder without sockets and threads, with a clock that is set by hand. Slot 0 is open. */
export class InMemoryRelay {
  readonly state: SharedRelayState
  readonly forwarder: Forwarder
  readonly sent: SentPacket[] = []
  readonly endpoint: Endpoint = {
    send: (data, port, address) => this.sent.push({ data, port, address }),
    release: () => {},
  }
  readonly credentials: [LegCredentials, LegCredentials]
  nowMs = 1_000_000

  constructor(limits: Partial<RelayLimits> = {}, maxCalls = 4) {
    this.state = new SharedRelayState(maxCalls)
    this.forwarder = new Forwarder({
      state: this.state,
      limits: { ...DEFAULT_RELAY_LIMITS, ...limits },
      now: () => this.nowMs,
    })
    this.credentials = this.openCall(0)
  }

  openCall(slot: number): [LegCredentials, LegCredentials] {
    const credentials: [LegCredentials, LegCredentials] = [testCredentials(slot, 0), testCredentials(slot, 1)]
    this.state.open(slot)
    this.forwarder.openCall(slot, credentials)
    return credentials
  }

  receive(data: Buffer, address: string, port = 5_000): void {
    this.forwarder.receive(data, this.endpoint, address, port)
  }

  /** A check of a leg of slot 0 from this address. */
  check(leg: LegIndex, address: string, options: CheckOptions = {}, port = 5_000): void {
    this.receive(encodeCheck(this.credentials[leg], options), address, port)
  }

  nominate(leg: LegIndex, address: string, port = 5_000): void {
    this.check(leg, address, { isNominating: true }, port)
  }

  /** Both legs are nominated, and what was sent so far is forgotten. */
  connect(): void {
    this.nominate(0, CALLER)
    this.nominate(1, CALLEE)
    this.sent.length = 0
  }

  /** Numbers of the media packets that were sent to this address. */
  mediaTo(address: string, port = 5_000): number[] {
    return this.sent
      .filter((packet) => packet.address === address && packet.port === port && (packet.data[0] ?? 0) >= 20)
      .map(({ data }) => mediaNumber(data))
  }

  count(name: CounterName): number {
    return this.state.read(name)
  }
}

export function testCredentials(slot: number, leg: LegIndex, restart = 0): LegCredentials {
  return {
    usernameFragment: `r${slot}l${leg}n${restart}`.padEnd(8, 'x'),
    password: `password-of-${slot}-${leg}-${restart}`.padEnd(24, '+'),
  }
}
