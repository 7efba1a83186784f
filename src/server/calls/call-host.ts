import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { CALLER_GONE_MS, REJOIN_TIMEOUT_MS, RING_TIMEOUT_MS } from '../../shared/calls/limits.ts'
import type { CallType, DeclineReason, EndReason } from '../../shared/calls/protocol.ts'
import { endTexts } from '../../shared/calls/texts.ts'
import type { CommandInput } from '../../shared/protocol/catalogue.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { refuse } from '../../shared/protocol/refusals.ts'
import { toUserSummary } from '../accounts/queries.ts'
import type { Reader } from '../database/read.ts'
import { getParticipants } from '../relations/access.ts'
import { checkCall } from './access.ts'
import type { AnyCallCommand, CallAnswer, CallCommand, CallSender, ConnectionRef } from './call-commands.ts'
import type { ConnectionLoss } from './call-connections.ts'
import { areCrossed, type CallDirectory, type CallEntry, isPreferred, MAX_CALLS_PER_REGION } from './call-directory.ts'
import type { CallEvents } from './call-events.ts'
import { handleSignal } from './call-signals.ts'
import {
  createHostedCall,
  findSide,
  type HostedCall,
  type Participant,
  sideOfUser,
  toCurrentCall,
  toEntry,
} from './hosted-call.ts'
import type { MissedCall } from './record-missed-call.ts'
import type { Relay } from './relay/relay.ts'
import type { rewriteDescription } from './sdp.ts'

/** Deadlines are checked this often while there is a call. */
const SWEEP_INTERVAL_MS = 250

/** How a call ended, for the metrics: an end, or why it was not accepted. */
export type CallOutcome = EndReason | DeclineReason | 'busy' | 'crossed'

export interface CallHostOptions {
  /** This region. */
  region: string
  relay: Pick<Relay, 'openCall' | 'warmUp'>
  rewriteDescription: typeof rewriteDescription
  directory: CallDirectory
  events: CallEvents
  reader: Pick<Reader, 'get'>
  /** Epoch milliseconds. */
  clock(): number
  /** For durations. */
  monotonicNow(): number
  isOnline(userId: UserId): boolean
  isReachable(region: string): boolean
  /** Tells the other regions of a call that began or changed, or of one that is over. */
  announce(entry: CallEntry): void
  announceEnd(callId: string): void
  recordMissedCall(call: MissedCall): void
  onEnded(outcome: CallOutcome): void
  log: Pick<Logger, 'info'>
}

/** The calls of which this region is the host: it has their state and their relay, and decides on every command about them. */
export class CallHost {
  readonly options: CallHostOptions
  private readonly calls = new Map<string, HostedCall>()
  private sweepTimer: NodeJS.Timeout | null = null

  constructor(options: CallHostOptions) {
    this.options = options
  }

  get size(): number {
    return this.calls.size
  }

  list(): HostedCall[] {
    return [...this.calls.values()]
  }

  handle(command: AnyCallCommand): CallAnswer {
    if (command.name === 'dmVoiceCallRequest') return this.start(command)
    const call = this.calls.get(command.input.callId)
    return call ? handleSignal(this, call, command) : refuse('NoSuchCall')
  }

  /** The connection of a participant is gone. */
  loseConnection(callId: string, connection: ConnectionRef, { isFinal, silentMs }: ConnectionLoss): void {
    const call = this.calls.get(callId)
    const side = call && findSide(call, connection)
    if (!call || !side) return
    if (isFinal) this.end(call, 'hangUp')
    else side.lostAt ??= this.options.monotonicNow() - silentMs
  }

  /** The region of a participant confirms the connection, after a break of the link. */
  confirmConnection(callId: string, connection: ConnectionRef): boolean {
    const call = this.calls.get(callId)
    const side = call && findSide(call, connection)
    if (!call || !side) return false
    side.lostAt = null
    this.sendDescriptionAgain(call, side)
    return true
  }

  /** Ends the ringing calls that this connection has started, because their request was not answered in time. */
  cancelStarted(connection: ConnectionRef): void {
    for (const call of this.list())
      if (call.connectedAt === null && findSide(call, connection)?.role === 'caller') this.end(call, 'hangUp')
  }

  /** Tells a connection that has just opened what its user should know: a call that rings, or that waits for them. */
  tellNewConnection({ userId, ...connection }: ConnectionRef & { userId: UserId }): void {
    for (const call of this.list()) {
      const side = sideOfUser(call, userId)
      if (!side) continue
      const to = { userId, connection }
      if (side.connection === null) this.ring(call, to)
      else if (side.lostAt !== null) this.options.events.deliver(to, 'currentCall', { call: toCurrentCall(call, side) })
    }
  }

  /** No connection of this region can be reached any more. */
  loseRegion(region: string): void {
    for (const call of this.list())
      for (const side of [call.caller, call.callee])
        if (side.connection?.region === region) side.lostAt ??= this.options.monotonicNow()
  }

  /** Another region has announced a call. Where it shares a user with one of this region, one of the two goes on. */
  yieldTo(other: CallEntry): void {
    for (const call of this.list()) {
      const entry = toEntry(call)
      const users = [entry.callerId, entry.calleeId]
      if (!users.includes(other.callerId) && !users.includes(other.calleeId)) continue
      if (isPreferred(entry, other)) continue
      if (areCrossed(entry, other)) this.cross(call, other.callId)
      else if (call.connectedAt === null && entry.callerId !== other.callerId) this.declineBusy(call)
      else this.end(call, 'failed')
    }
  }

  /** Ends the calls that match, at once: nothing is forwarded when this returns. */
  endWhere(matches: (call: HostedCall) => boolean, reason: EndReason): void {
    for (const call of this.list()) if (matches(call)) this.end(call, reason)
  }

  /** Ends a call for both and for all devices that it rings on. */
  end(call: HostedCall, reason: EndReason): void {
    const payload = { callId: call.callId, reason, text: endTexts[reason] }
    const { caller, callee } = call
    if (!this.remove(call, reason)) return
    const { events } = this.options
    events.deliver({ userId: caller.user.id, connection: caller.connection }, 'dmEndCall', payload)
    events.deliver({ userId: callee.user.id, connection: callee.connection }, 'dmEndCall', payload)
    const isMissed = call.connectedAt === null && (reason === 'hangUp' || reason === 'unanswered')
    if (isMissed) this.recordMissed(call.callId, call.callType, caller.user.id, callee.user.id)
  }

  /** Ends a ringing call that is not accepted. @param decliner the device on which it was declined */
  decline(call: HostedCall, reason: DeclineReason, decliner: ConnectionRef | null): void {
    const { callId, caller, callee } = call
    if (!this.remove(call, reason)) return
    const { events } = this.options
    const response = { callId, accepted: false, reason }
    events.deliver({ userId: caller.user.id, connection: caller.connection }, 'dmVoiceCallResponse', response)
    const end = { callId, reason: 'declinedElsewhere', text: endTexts.declinedElsewhere } as const
    events.deliver({ userId: callee.user.id, connection: null, except: decliner }, 'dmEndCall', end)
    if (reason === 'offline') this.recordMissed(callId, call.callType, caller.user.id, callee.user.id)
  }

  /** The call has changed from ringing to running. */
  announceActive(call: HostedCall): void {
    const entry = toEntry(call)
    this.options.directory.set({ ...entry, host: this.options.region })
    this.options.announce(entry)
  }

  /** Sends the latest offer that has no answer, or the latest answer, to a side that has come back. */
  sendDescriptionAgain(call: HostedCall, side: Participant): void {
    const to = { userId: side.user.id, connection: side.connection }
    const { callId, sentOffer, sentAnswer, renegotiation } = call
    const { events } = this.options
    if (side.role === 'callee') {
      if (sentOffer) events.deliver(to, 'dmWebRTCOffer', { callId, ...sentOffer })
      return
    }
    if (sentAnswer) events.deliver(to, 'dmWebRTCAnswer', { callId, ...sentAnswer })
    if (renegotiation) events.deliver(to, 'dmRenegotiate', { callId, ...renegotiation })
  }

  /** Ends every call, at the end of the process. */
  close(): void {
    for (const call of this.list()) this.end(call, 'regionLost')
  }

  private start({ sender, input }: CallCommand<'dmVoiceCallRequest'>): CallAnswer<'dmVoiceCallRequest'> {
    const { reader, directory, isOnline } = this.options
    const participants = getParticipants(reader, sender.userId, input.recipientId ?? 0)
    if (!participants) return refuse('NotFound')
    const { own, other } = participants
    const ownCalls = directory.callsOf(own.id)
    const crossing = ownCalls.find((call) => !call.isActive && call.callerId === other.id)
    if (crossing) return { success: true, callId: crossing.callId, role: 'callee' }
    if (ownCalls.length > 0) return refuse('CallBusy')
    const refused = checkCall(reader, participants, input.callType)
    if (refused) return refused
    if (this.calls.size >= MAX_CALLS_PER_REGION) return refuse('Busy')
    const callId = randomUUID()
    const isBusy = directory.callsOf(other.id).length > 0
    if (isBusy || !isOnline(other.id)) this.refuseStart(callId, input, sender, isBusy)
    else {
      const now = this.options.clock()
      const caller = { user: toUserSummary(own, now), connection: sender }
      this.add(this.create(callId, input.callType, caller, toUserSummary(other, now)))
    }
    return { success: true, callId, role: 'caller' }
  }

  private create(
    callId: string,
    callType: CallType,
    caller: Parameters<typeof createHostedCall>[1],
    callee: Participant['user'],
  ): HostedCall {
    const { clock, monotonicNow } = this.options
    return createHostedCall({ callId, callType, ringingSince: monotonicNow(), startedAt: clock() }, caller, callee)
  }

  private add(call: HostedCall): void {
    this.calls.set(call.callId, call)
    // It reports its own failures; a relay that is not there ends the call at its acceptance.
    void this.options.relay.warmUp()
    this.announceActive(call)
    this.ring(call, { userId: call.callee.user.id, connection: null })
    this.sweepTimer ??= setInterval(() => this.sweep(), SWEEP_INTERVAL_MS).unref()
  }

  /** The callee is in another call, which is told as declined, or offline. */
  private refuseStart(
    callId: string,
    { callType, recipientId = 0 }: CommandInput<'dmVoiceCallRequest'>,
    sender: CallSender,
    isBusy: boolean,
  ): void {
    const { events, onEnded } = this.options
    const response = { callId, accepted: false, reason: isBusy ? 'declined' : 'offline' } as const
    events.deliver({ userId: sender.userId, connection: sender }, 'dmVoiceCallResponse', response)
    this.recordMissed(callId, callType, sender.userId, recipientId)
    onEnded(isBusy ? 'busy' : 'offline')
  }

  private ring({ callId, callType, caller, isStaff }: HostedCall, to: Parameters<CallEvents['deliver']>[0]): void {
    const payload = { callId, callType, senderUsername: caller.user.username, sender: caller.user, isStaff }
    this.options.events.deliver(to, 'dmVoiceCallRequest', payload)
  }

  /** The callee has another call that began earlier elsewhere. */
  private declineBusy(call: HostedCall): void {
    this.decline(call, 'declined', null)
    this.recordMissed(call.callId, call.callType, call.caller.user.id, call.callee.user.id)
  }

  /** Both called each other: the caller of this call accepts the other one. */
  private cross(call: HostedCall, acceptCallId: string): void {
    const { callId, caller, callee } = call
    if (!this.remove(call, 'crossed')) return
    const { events } = this.options
    events.deliver({ userId: caller.user.id, connection: caller.connection }, 'dmCallCrossed', { callId, acceptCallId })
    const end = { callId, reason: 'hangUp', text: endTexts.hangUp } as const
    events.deliver({ userId: callee.user.id, connection: null }, 'dmEndCall', end)
  }

  private recordMissed(callId: string, callType: CallType, callerId: UserId, calleeId: UserId): void {
    this.options.recordMissedCall({ callId, callType, callerId, calleeId })
  }

  private remove(call: HostedCall, outcome: CallOutcome): boolean {
    call.relay?.close()
    call.relay = null
    if (!this.calls.delete(call.callId)) return false
    const { directory, region, announceEnd, onEnded } = this.options
    directory.remove(call.callId, region)
    announceEnd(call.callId)
    onEnded(outcome)
    if (this.calls.size === 0 && this.sweepTimer) {
      clearInterval(this.sweepTimer)
      this.sweepTimer = null
    }
    return true
  }

  private sweep(): void {
    const now = this.options.monotonicNow()
    for (const call of this.list()) {
      if (call.connectedAt === null) this.sweepRinging(call, now)
      else if ([call.caller, call.callee].some(({ lostAt }) => lostAt !== null && now - lostAt >= REJOIN_TIMEOUT_MS))
        this.end(call, 'connectionLost')
    }
  }

  private sweepRinging(call: HostedCall, now: number): void {
    const { caller, callee } = call
    const { isReachable, isOnline } = this.options
    const isCut = caller.connection !== null && !isReachable(caller.connection.region)
    caller.unreachableSince = isCut ? (caller.unreachableSince ?? now) : null
    // Within 5 s the ringing stops, which is less than the bus takes to call a region gone.
    const goneSince = caller.lostAt ?? caller.unreachableSince
    if (now - call.ringingSince >= RING_TIMEOUT_MS) this.end(call, 'unanswered')
    else if (goneSince !== null && now - goneSince >= CALLER_GONE_MS) this.end(call, 'hangUp')
    else if (!isOnline(callee.user.id)) this.decline(call, 'offline', null)
  }
}
