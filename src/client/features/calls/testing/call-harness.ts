import { expect } from 'vitest'
import { createPerson } from '../../../../shared/accounts/testing/person-fixture.ts'
import type { CurrentCall } from '../../../../shared/calls/protocol.ts'
import type {
  CommandAnswer,
  CommandInput,
  CommandName,
  EventName,
  EventPayload,
} from '../../../../shared/protocol/catalogue.ts'
import { Kind } from '../../../../shared/protocol/frame.ts'
import { Refusal, type RefusalCode, refuse } from '../../../../shared/protocol/refusals.ts'
import { LiveClient } from '../../../core/live/live-client.ts'
import { FakeSession } from '../../../core/live/testing/fake-session.ts'
import { ADA } from '../../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, type FakeTransport } from '../../../core/platform/testing/fake-environment.ts'
import type { CallPlatform } from '../call-platform.ts'
import { CallStore } from '../call-store.ts'
import { Calls } from '../calls.ts'
import { FakeConnection } from './fake-connection.ts'
import { FakeDevices, FakeStream, type FakeTrack } from './fake-media.ts'

export const CALL_ID = '00000000-0000-4000-8000-00000000000a'
export const OTHER_CALL_ID = '00000000-0000-4000-8000-00000000000b'
export const CAN = createPerson(2, 'Can')

/** Ada's page: the calls of a tab, with a server, devices and connections in memory. */
export class CallHarness {
  readonly environment: FakeEnvironment
  readonly session = new FakeSession()
  readonly live: LiveClient
  readonly store = new CallStore()
  readonly calls: Calls
  readonly devices = new FakeDevices()
  readonly connections: FakeConnection[] = []
  readonly notices: string[] = []
  /** The browser opens devices without asking the user. */
  needsNoQuestion = false
  /** The server's answers, by command; all others succeed. */
  readonly answers = new Map<string, object>([
    ['dmVoiceCallRequest', { success: true, callId: CALL_ID, role: 'caller' }],
  ])
  readonly networkListeners = new Set<() => void>()

  /** @param before the environment of the page before a reload */
  constructor(before?: FakeEnvironment, changes: Partial<CallPlatform> = {}) {
    this.environment = new FakeEnvironment(before)
    this.live = new LiveClient(this.environment, this.session)
    this.environment.onTransport = (transport) => this.serve(transport)
    const platform = {
      environment: this.environment,
      live: this.live,
      devices: this.devices,
      canConnect: true,
      mayOpenDevices: async () => this.needsNoQuestion,
      createConnection: (configuration: RTCConfiguration) => {
        const connection = new FakeConnection(configuration)
        this.connections.push(connection)
        return connection
      },
      createStream: (tracks?: FakeTrack[]) => new FakeStream(tracks),
      videoCodecs: () =>
        ['video/VP8', 'video/rtx', 'video/VP9', 'video/H264', 'video/AV1', 'video/red'].map((mimeType) => ({
          mimeType,
          clockRate: 90_000,
        })),
      selfUsername: () => 'Ada',
      onNetworkChange: (run: () => void) => {
        this.networkListeners.add(run)
        return () => this.networkListeners.delete(run)
      },
      notify: (text: string) => void this.notices.push(text),
    }
    // The fakes have the members of the DOM's types that calls use.
    this.calls = new Calls({ ...(platform as unknown as CallPlatform), ...changes }, this.store)
  }

  get call() {
    return this.store.call.peek()
  }

  /** The latest connection. */
  get connection(): FakeConnection {
    const connection = this.connections.at(-1)
    if (!connection) throw new Error('no connection was made')
    return connection
  }

  async connect(): Promise<this> {
    this.live.start(100, this.environment.now())
    await this.greet()
    return this
  }

  /** The WebSocket is lost; the next one is opened by the client. */
  drop(): void {
    this.environment.transport.drop()
  }

  async reconnect(): Promise<void> {
    await this.environment.advance(600)
    await this.greet()
  }

  async greet(): Promise<void> {
    this.environment.transport.accept()
    const answer = { user: ADA, cursor: 100, resumed: true, serverTime: this.environment.now() }
    this.environment.transport.answer('hello', answer)
    await settle()
  }

  /** The server refuses that command from now on. */
  refuse(name: CommandName, code: RefusalCode): void {
    this.answers.set(name, refuse(code))
  }

  answer<N extends CommandName>(name: N, answer: CommandAnswer<N>): void {
    this.answers.set(name, answer)
  }

  async emit<N extends EventName>(name: N, payload: EventPayload<N>): Promise<void> {
    this.environment.transport.receive([Kind.ephemeral, name, payload])
    await settle()
  }

  /** The inputs of all requests of that name, over all connections. */
  sent<N extends CommandName>(name: N): CommandInput<N>[] {
    return this.environment.transports.flatMap(({ sent }) =>
      sent.flatMap((value) => (value[0] === Kind.request && value[2] === name ? [value[3] as CommandInput<N>] : [])),
    ) // encoded from that type
  }

  async ring(callType: 'voice' | 'video' = 'voice', callId = CALL_ID): Promise<void> {
    this.calls.ring({ callId, callType, senderUsername: CAN.username, sender: CAN, isStaff: false })
    await settle()
  }

  /** Calls Can, who has accepted and whose answer is applied. */
  async callAndConnect(callType: 'voice' | 'video' = 'voice'): Promise<void> {
    await this.calls.start(CAN, callType)
    await settle()
    await this.emit('dmVoiceCallResponse', { callId: CALL_ID, accepted: true })
    await this.emit('dmWebRTCAnswer', { callId: CALL_ID, negotiation: 1, sdp: describe('answer') })
    await this.becomeConnected()
  }

  /** Accepts Can's call, whose offer is applied. */
  async acceptAndConnect(callType: 'voice' | 'video' = 'voice'): Promise<void> {
    await this.ring(callType)
    await this.calls.accept()
    await this.emit('dmWebRTCOffer', offer(1))
    await this.becomeConnected()
  }

  async becomeConnected(): Promise<void> {
    this.connection.become('connected')
    await settle()
    // The code of both certificates is made outside of the promises that the test runs.
    const { localDescription, remoteDescription } = this.connection
    if (!localDescription || !remoteDescription) return
    await expect.poll(() => this.call?.securityCode, { interval: 5 }).toEqual(expect.any(String))
  }

  private serve(transport: FakeTransport): void {
    transport.onSent = (value) => {
      if (value[0] !== Kind.request || value[2] === 'hello') return
      const answer = this.answers.get(value[2]) ?? { success: true }
      if (answer instanceof Refusal) transport.receive([Kind.refusal, value[1], answer.body])
      else transport.receive([Kind.answer, value[1], { ...answer }])
    }
  }
}

/** Runs all promise callbacks, of however long chains. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
}

/** A description of Can's browser. */
export function describe(text: string, fingerprint = 'CC:CC'): string {
  return `s=${text}\r\na=fingerprint:sha-256 ${fingerprint}\r\na=rtpmap:111 opus/48000/2\r\n`
}

export function offer(
  negotiation: number,
  fingerprint = 'CC:CC',
  isNewConnection = false,
): EventPayload<'dmWebRTCOffer'> {
  return { callId: CALL_ID, negotiation, sdp: describe(`offer ${negotiation}`, fingerprint), isNewConnection }
}

export function currentCall(more: Partial<CurrentCall> = {}): CurrentCall {
  return {
    callId: CALL_ID,
    callType: 'voice',
    role: 'caller',
    other: CAN,
    isStaff: false,
    phase: 'active',
    connectedAt: 5,
    negotiation: 1,
    otherMedia: { isMicrophoneOn: true, isCameraOn: false, isScreenShared: false },
    ...more,
  }
}
