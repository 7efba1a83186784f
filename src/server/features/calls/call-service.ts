import * as v from 'valibot'
import type { EndReason } from '../../../shared/calls/protocol.ts'
import { endTexts } from '../../../shared/calls/texts.ts'
import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { type Connection, isOpen } from '../../kernel/live/connection.ts'
import type { PeerBus } from '../../kernel/regions/peer-bus.ts'
import { CallBus } from './call-bus.ts'
import type { AnyCallCommand, CallAnswer, CallSender, ConnectionRef } from './call-commands.ts'
import { CallConnections, type ConnectionLoss } from './call-connections.ts'
import { CallDirectory, type CallEntry, type LocatedCall } from './call-directory.ts'
import type { CallEventName, EventTarget } from './call-events.ts'
import { CallHost, type CallHostOptions } from './call-host.ts'
import { ConnectionMessage, DirectoryMessage, HelloMessage, parseEvent, TOPICS } from './call-messages.ts'
import { RecentCalls } from './recent-calls.ts'
import { type MissedCall, recordMissedCall } from './record-missed-call.ts'

export type CallServiceOptions = Pick<CallHostOptions, 'relay' | 'rewriteDescription' | 'onEnded'>

/** Calls of this region's users, and calls that this region hosts. */
export class CallService {
  readonly host: CallHost
  readonly recent: RecentCalls
  readonly directory: CallDirectory
  readonly connections: CallConnections
  private readonly appContext: AppContext
  private readonly bus: PeerBus
  private readonly commands: CallBus
  private readonly unsent: (() => void)[] = []

  constructor(appContext: AppContext, bus: PeerBus, options: CallServiceOptions) {
    this.appContext = appContext
    this.bus = bus
    this.recent = new RecentCalls(appContext.clock)
    this.directory = new CallDirectory(this.recent)
    this.host = new CallHost({ ...options, ...this.hostServices() })
    this.connections = new CallConnections({
      region: bus.region,
      publisher: appContext.publisher,
      connectionsOf: (userId) => appContext.presence.connectionsOf(userId),
      monotonicNow: appContext.monotonicNow,
      onLost: (host, callId, connection, loss) => this.reportLoss(host, callId, connection, loss),
      onFound: (host, callId, connection) => this.confirm(host, callId, connection),
    })
    this.commands = new CallBus(bus, (command) => this.host.handle(command))
    this.listenToBus()
  }

  /** The sender of a connection's commands; null before its hello. */
  senderOf(connection: Connection): CallSender | null {
    if (!isOpen(connection)) return null
    const { viewer, tabId } = connection.state.identity
    return { ...this.connections.refOf(connection), userId: viewer.userId, sessionId: viewer.sessionId, tabId }
  }

  /** Runs a command at the host of its call. @param onTimeout called if another region does not answer */
  async submit(host: string, command: AnyCallCommand, onTimeout: () => void = () => {}): Promise<CallAnswer> {
    return host === this.bus.region ? this.host.handle(command) : this.commands.submit(host, command, onTimeout)
  }

  /** The region that hosts a new call: one to which the callee is connected, this one if possible, else one that can be reached. */
  hostFor(calleeId: number): string {
    const { presence } = this.appContext
    if (presence.connectionsOf(calleeId).length > 0) return this.bus.region
    const regions = presence.otherRegionsOf(calleeId).toSorted()
    const reachable = this.bus.peers()
    return regions.find((region) => reachable.includes(region)) ?? regions[0] ?? this.bus.region
  }

  /** Ends a call whose start was not answered in time, if the host has begun it. */
  cancelStart(host: string, connection: Connection): void {
    const { connectionId } = this.connections.refOf(connection)
    this.sendConnection(host, { callId: null, connectionId, state: 'final', silentMs: 0 })
  }

  /** A connection has opened: the hosts of its user's calls tell it what rings or waits for it. */
  announceConnection(connection: Connection): void {
    const sender = this.senderOf(connection)
    if (!sender) return
    const { userId, connectionId } = sender
    for (const host of new Set(this.directory.callsOf(userId).map((call) => call.host))) {
      if (host === this.bus.region) this.host.tellNewConnection(sender)
      else this.bus.send(host, TOPICS.hello, { userId, connectionId })
    }
  }

  /** Ends all calls at the end of the process. */
  close(): void {
    this.host.close()
    this.commands.close()
    this.connections.close()
  }

  private hostServices() {
    const { appContext, bus, directory } = this
    const { reader, clock, monotonicNow, presence, personLimiters, log } = appContext
    return {
      ...{ region: bus.region, directory, reader, clock, monotonicNow, personLimiters, log },
      events: {
        deliver: <N extends CallEventName>(to: EventTarget, name: N, payload: EventPayload<N>) =>
          this.deliver(to, name, payload),
      },
      isOnline: (userId: number) => presence.isOnline(userId, null),
      isReachable: (region: string) => region === bus.region || bus.peers().includes(region),
      announce: (call: CallEntry) => {
        if (call.isActive) this.connections.stopProbing(call.callId)
        this.sendDirectory({ kind: 'set', call })
      },
      announceEnd: (callId: string) => {
        setImmediate(() => this.connections.removeCall(callId))
        this.queue(() => this.sendDirectory({ kind: 'end', callId }))
      },
      recordMissedCall: (call: MissedCall) => {
        appContext.execute(recordMissedCall, null, call).then(
          (outcome) =>
            outcome instanceof Refusal && log.warn({ code: outcome.body.code }, 'cannot record a missed call'),
          (error) => log.warn({ err: error }, 'cannot record a missed call'),
        )
      },
    }
  }

  private deliver<N extends CallEventName>(to: EventTarget, name: N, payload: EventPayload<N>): void {
    const { connection, except = null, userId } = to
    const isHere = connection === null || connection.region === this.bus.region
    if (isHere) this.connections.deliver(to, name, payload)
    if (connection?.region === this.bus.region) return
    const idIn = (region: string, ref: ConnectionRef | null) => (ref?.region === region ? ref.connectionId : null)
    for (const region of connection ? [connection.region] : this.bus.peers()) {
      const ids = { connectionId: idIn(region, connection), exceptConnectionId: idIn(region, except) }
      this.queue(() => this.bus.send(region, TOPICS.event, { userId, ...ids, name, payload }))
    }
  }

  /** Sends after the answer of this turn, which another region waits for: its client first learns the call's id. */
  private queue(send: () => void): void {
    if (this.unsent.push(send) > 1) return
    setImmediate(() => {
      for (const sendNext of this.unsent.splice(0)) sendNext()
    })
  }

  private listenToBus(): void {
    const { bus } = this
    bus.on(TOPICS.event, (_, message) => {
      const event = parseEvent(message)
      if (!event) return
      const refOf = (connectionId: number | null) => connectionId && { region: bus.region, connectionId }
      const { userId, connectionId, exceptConnectionId, name, payload } = event
      const to = { userId, connection: refOf(connectionId) || null, except: refOf(exceptConnectionId) || null }
      this.connections.deliver(to, name, payload)
    })
    bus.on(TOPICS.connection, (from, message) => this.onConnection(from, message))
    bus.on(TOPICS.hello, (from, message) => {
      const parsed = v.safeParse(HelloMessage, message)
      if (parsed.success) this.host.tellNewConnection({ ...parsed.output, region: from })
    })
    bus.on(TOPICS.directory, (from, message) => this.onDirectory(from, message))
    bus.onJoined((region) => this.onJoined(region))
    bus.onGone((region) => this.onGone(region))
    for (const region of bus.peers()) this.onJoined(region)
  }

  private onConnection(from: string, message: unknown): void {
    const parsed = v.safeParse(ConnectionMessage, message)
    if (!parsed.success) return
    const { callId, connectionId, state, silentMs } = parsed.output
    const connection = { region: from, connectionId }
    if (callId === null) this.host.cancelStarted(connection)
    else if (state === 'there') this.host.confirmConnection(callId, connection)
    else this.host.loseConnection(callId, connection, { isFinal: state === 'final', silentMs })
  }

  private onDirectory(from: string, message: unknown): void {
    const parsed = v.safeParse(DirectoryMessage, message)
    if (!parsed.success) return
    const { output } = parsed
    if (output.kind === 'set') this.setRemote({ ...output.call, host: from })
    else if (output.kind === 'end') this.removeRemote(from, output.callId)
    else this.replaceRemote(from, output.calls)
  }

  /** All calls of a region that has joined, perhaps after a break of the link. */
  private replaceRemote(host: string, calls: readonly CallEntry[]): void {
    const known = new Set(calls.map(({ callId }) => callId))
    const ringing = this.directory.callsHostedBy(host).filter(({ isActive }) => !isActive)
    const missed = calls.filter((call) => !call.isActive && !call.isHidden && !this.directory.find(call.callId))
    for (const { callId } of this.directory.callsHostedBy(host)) if (!known.has(callId)) this.removeRemote(host, callId)
    for (const call of calls) this.setRemote({ ...call, host })
    // A call that ended behind the cut link, before this region knew of it.
    for (const { callId } of this.connections.callsHostedBy(host))
      if (!known.has(callId)) this.connections.removeCall(callId)
    for (const call of ringing) {
      const now = this.directory.find(call.callId)
      if (!now || now.isActive || now.isHidden) this.stopRinging(call, now?.isActive ? 'answeredElsewhere' : 'hangUp')
    }
    for (const { calleeId } of missed)
      for (const connection of this.appContext.presence.connectionsOf(calleeId)) this.announceConnection(connection)
  }

  private setRemote(call: LocatedCall): void {
    if (!this.directory.set(call)) return
    if (call.isActive) this.connections.stopProbing(call.callId)
    this.host.yieldTo(call)
  }

  private removeRemote(host: string, callId: string): void {
    // After the end itself, which waits for the end of this turn.
    if (this.directory.remove(callId, host)) setImmediate(() => this.connections.removeCall(callId))
  }

  /** The region gets the calls of this one, and hears of the connections here that take part in its own. */
  private onJoined(region: string): void {
    const calls = this.host.list().map(({ callId }) => this.directory.find(callId))
    const entries = calls.flatMap((call) => (call ? [{ ...call, host: undefined }] : []))
    this.bus.send(region, TOPICS.directory, { kind: 'whole', calls: entries })
    for (const { callId, connection } of this.connections.callsHostedBy(region))
      this.confirm(region, callId, connection)
  }

  private onGone(region: string): void {
    this.connections.loseHost(region)
    for (const call of this.directory.callsHostedBy(region)) {
      this.directory.remove(call.callId, region)
      if (!call.isActive) this.stopRinging(call, 'regionLost')
    }
    this.host.loseRegion(region)
  }

  /** Ends a call on the callee's connections of this region: its host could not tell them. */
  private stopRinging({ callId, calleeId, isHidden }: CallEntry, reason: EndReason): void {
    if (isHidden) return
    const end = { callId, reason, text: endTexts[reason] }
    this.connections.deliver({ userId: calleeId, connection: null }, 'dmEndCall', end)
  }

  private confirm(host: string, callId: string, connection: ConnectionRef): void {
    if (host === this.bus.region) this.host.confirmConnection(callId, connection)
    else this.sendConnection(host, { callId, connectionId: connection.connectionId, state: 'there', silentMs: 0 })
  }

  private reportLoss(host: string, callId: string, connection: ConnectionRef, loss: ConnectionLoss): void {
    if (host === this.bus.region) {
      this.host.loseConnection(callId, connection, loss)
      return
    }
    const { isFinal, silentMs } = loss
    const { connectionId } = connection
    this.sendConnection(host, { callId, connectionId, state: isFinal ? 'final' : 'lost', silentMs })
  }

  private sendConnection(host: string, message: ConnectionMessage): void {
    this.bus.send(host, TOPICS.connection, message)
  }

  private sendDirectory(message: DirectoryMessage): void {
    this.bus.send('all', TOPICS.directory, message)
  }
}
