import { endTexts } from '../../../shared/calls/texts.ts'
import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import { CloseCode } from '../../../shared/protocol/frame.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { addressGroup } from '../../kernel/http/client-address.ts'
import { type Connection, isOpen, type OpenConnection } from '../../kernel/live/connection.ts'
import { encodeEphemeral, type Publisher } from '../../kernel/live/publisher.ts'
import type { ConnectionRef } from './call-commands.ts'
import type { CallEventName, EventTarget } from './call-events.ts'

/** The connection of a caller is pinged this often while it rings: an open one may be dead. */
const PROBE_INTERVAL_MS = 500
/** Without an answer for this long the host is told, which ends the call `CALLER_GONE_MS` after the ping. */
const PROBE_TIMEOUT_MS = 1_000

/** How a connection was lost. */
export interface ConnectionLoss {
  /** Its user has signed out, is banned or continues elsewhere: it does not come back. */
  isFinal: boolean
  /** For so long it has not answered. */
  silentMs: number
}

/** A connection of this region that speaks for a side of a call. */
interface CallConnection {
  callId: string
  host: string
  /** The caller's, while it rings: since when its latest ping is unanswered. */
  probe: { sentAt: number; isAnswered: boolean; isLost: boolean } | null
  stopListening(): void
}

export interface CallConnectionsOptions {
  region: string
  publisher: Publisher
  connectionsOf(userId: UserId): OpenConnection[]
  monotonicNow(): number
  /** The connection has closed or does not answer. */
  onLost(host: string, callId: string, connection: ConnectionRef, loss: ConnectionLoss): void
  /** A connection that did not answer answers again. */
  onFound(host: string, callId: string, connection: ConnectionRef): void
}

/** The connections of this region that take part in calls, wherever these are hosted. */
export class CallConnections {
  private readonly options: CallConnectionsOptions
  private readonly calls = new Map<Connection, CallConnection>()
  /** Connections whose request for a call is not answered yet. */
  private readonly callers = new Set<Connection>()
  private undelivered: (() => void)[] = []
  private probeTimer: NodeJS.Timeout | null = null

  constructor(options: CallConnectionsOptions) {
    this.options = options
  }

  get size(): number {
    return this.calls.size
  }

  /** Connections of one address in calls. @param group of `addressGroup` */
  countOf(group: string): number {
    let count = 0
    for (const { address } of this.calls.keys()) if (address !== null && addressGroup(address) === group) count++
    return count
  }

  refOf({ id }: Connection): ConnectionRef {
    return { region: this.options.region, connectionId: id }
  }

  /** A connection asks for a call: it is not rung meanwhile. Returns false if one of its user's connections does already. */
  beginRequest(connection: Connection): boolean {
    const userId = connection.identity?.viewer.userId
    for (const other of this.callers) if (other.identity?.viewer.userId === userId) return false
    this.callers.add(connection)
    return true
  }

  endRequest(connection: Connection): void {
    this.callers.delete(connection)
  }

  /** The connection speaks for a side of a call from now on. */
  join(connection: Connection, call: { callId: string; host: string; isCalling: boolean }): void {
    this.leave(connection)
    const { callId, host, isCalling } = call
    if (connection.isClosed) {
      this.options.onLost(host, callId, this.refOf(connection), lossOf(connection))
      return
    }
    const probe = isCalling ? { sentAt: this.options.monotonicNow(), isAnswered: true, isLost: false } : null
    const stopListening = connection.onClosed(() => {
      this.leave(connection)
      this.options.onLost(host, callId, this.refOf(connection), lossOf(connection))
    })
    this.calls.set(connection, { callId, host, probe, stopListening })
    if (probe) this.probeTimer ??= setInterval(() => this.probeCallers(), PROBE_INTERVAL_MS).unref()
  }

  /** The call is accepted: its caller is not pinged any more. */
  stopProbing(callId: string): void {
    for (const call of this.calls.values()) if (call.callId === callId) call.probe = null
  }

  /** The call is over. Only a connection that was cut off from the host has not been told. */
  removeCall(callId: string): void {
    for (const [connection, call] of this.calls) {
      if (call.callId !== callId) continue
      this.leave(connection)
      this.sendEnd(connection, callId, 'connectionLost')
    }
  }

  /** The region that hosted these calls is gone. */
  loseHost(host: string): void {
    for (const [connection, call] of this.calls) {
      if (call.host !== host) continue
      this.leave(connection)
      this.sendEnd(connection, call.callId, 'regionLost')
    }
  }

  /** The calls hosted there in which connections of this region take part. */
  callsHostedBy(host: string): { callId: string; connection: ConnectionRef }[] {
    return [...this.calls]
      .filter(([, call]) => call.host === host)
      .map(([connection, { callId }]) => ({ callId, connection: this.refOf(connection) }))
  }

  /** Sends an event to connections of this region, after the answers of this turn: a client first learns its call's id. */
  deliver<N extends CallEventName>(to: EventTarget, name: N, payload: EventPayload<N>): void {
    if (this.undelivered.push(() => this.deliverNow(to, name, payload)) > 1) return
    setImmediate(() => {
      const deliveries = this.undelivered
      this.undelivered = []
      for (const deliver of deliveries) deliver()
    })
  }

  close(): void {
    if (this.probeTimer) clearInterval(this.probeTimer)
    for (const { stopListening } of this.calls.values()) stopListening()
    this.calls.clear()
  }

  private deliverNow<N extends CallEventName>(to: EventTarget, name: N, payload: EventPayload<N>): void {
    const value = encodeEphemeral(name, payload)
    for (const connection of this.options.connectionsOf(to.userId)) {
      if (!this.isTarget(connection, to, name)) continue
      this.options.publisher.enqueue(connection, value)
      if (isLastEvent(name, payload) && this.calls.get(connection)?.callId === payload.callId) this.leave(connection)
    }
  }

  private isTarget(
    connection: OpenConnection,
    { connection: target, except }: EventTarget,
    name: CallEventName,
  ): boolean {
    const isConnection = (ref: ConnectionRef) =>
      ref.region === this.options.region && ref.connectionId === connection.id
    if (target) return isConnection(target)
    if (except && isConnection(except)) return false
    // Where the user is calling, nothing rings: the server decides which of two crossed calls goes on.
    return name !== 'dmVoiceCallRequest' || !(this.calls.has(connection) || this.callers.has(connection))
  }

  private leave(connection: Connection): void {
    this.calls.get(connection)?.stopListening()
    this.calls.delete(connection)
    if (this.calls.size > 0 || !this.probeTimer) return
    clearInterval(this.probeTimer)
    this.probeTimer = null
  }

  private sendEnd(connection: Connection, callId: string, reason: 'connectionLost' | 'regionLost'): void {
    if (!isOpen(connection)) return
    this.options.publisher.enqueue(connection, encodeEphemeral('dmEndCall', { callId, reason, text: endTexts[reason] }))
  }

  private probeCallers(): void {
    const now = this.options.monotonicNow()
    for (const [connection, { callId, host, probe }] of this.calls) {
      if (!probe) continue
      if (probe.isAnswered) {
        probe.isAnswered = false
        probe.sentAt = now
        connection.probe(() => {
          probe.isAnswered = true
          if (!probe.isLost) return
          probe.isLost = false
          this.options.onFound(host, callId, this.refOf(connection))
        })
      } else if (now - probe.sentAt >= PROBE_TIMEOUT_MS && !probe.isLost) {
        probe.isLost = true
        this.options.onLost(host, callId, this.refOf(connection), { isFinal: false, silentMs: now - probe.sentAt })
      }
    }
  }
}

function lossOf({ state, lastOpen }: Connection): ConnectionLoss {
  const code = state.name === 'closed' ? state.code : null
  const isSessionOver = code === CloseCode.notSignedIn || code === CloseCode.banned
  return { isFinal: isSessionOver || lastOpen?.isTakenOver === true, silentMs: 0 }
}

/** Whether the call is over for the receiver of this event. */
function isLastEvent(name: CallEventName, payload: object): payload is { callId: string } {
  if (name === 'dmEndCall' || name === 'dmCallCrossed') return true
  return name === 'dmVoiceCallResponse' && 'accepted' in payload && payload.accepted === false
}
