import type { Logger } from 'pino'
import type { DeclineReason, EndReason } from '../../../shared/calls/protocol.ts'
import { endTexts } from '../../../shared/calls/texts.ts'
import type { SessionId, UserId } from '../../../shared/protocol/ids.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { PersonLimiters } from '../../kernel/limits/person-limiters.ts'
import type { AnyCallCommand, CallAnswer, ConnectionRef } from './call-commands.ts'
import type { ConnectionLoss } from './call-connections.ts'
import { findExpiry, type Reachability } from './call-deadlines.ts'
import { areCrossed, type CallDirectory, type CallEntry, isPreferred, usersOf } from './call-directory.ts'
import type { CallEvents, EventTarget } from './call-events.ts'
import { handleSignal } from './call-signals.ts'
import {
  findSide,
  type HostedCall,
  otherSide,
  type Participant,
  sideOfUser,
  toCurrentCall,
  toEntry,
} from './hosted-call.ts'
import type { MissedCall } from './record-missed-call.ts'
import type { Relay } from './relay/relay.ts'
import type { rewriteDescription } from './sdp.ts'
import { startCall, unansweredCharges } from './start-call.ts'

/** Deadlines are checked this often while there is a call. */
const SWEEP_INTERVAL_MS = 250

/** How a call ended, for the metrics: an end, or why it was not accepted. */
export type CallOutcome = EndReason | DeclineReason | 'busy' | 'crossed'

export interface CallHostOptions extends Reachability {
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
  personLimiters: PersonLimiters
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
    if (command.name === 'dmVoiceCallRequest') return startCall(this, command)
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
    this.sendStateAgain(call, side)
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
    const { directory } = this.options
    const sharing = usersOf(other).flatMap((userId) => directory.callsOf(userId))
    for (const { callId } of sharing) {
      const call = this.calls.get(callId)
      if (call && !isPreferred(toEntry(call), other)) this.giveWay(call, other)
    }
  }

  /** A session has another id. Its tabs may still rejoin their calls. */
  moveToSession(from: SessionId, to: SessionId): void {
    for (const { caller, callee } of this.list()) {
      for (const side of [caller, callee])
        if (side.connection?.sessionId === from) side.connection = { ...side.connection, sessionId: to }
    }
  }

  /** Ends the calls that match, at once: nothing is forwarded when this returns. */
  endWhere(matches: (call: HostedCall) => boolean, reason: EndReason): void {
    for (const call of this.list()) if (matches(call)) this.end(call, reason)
  }

  /** Ends a call for both and for all devices that it rings on. */
  end(call: HostedCall, reason: EndReason): void {
    const { callId, caller, callee } = call
    const payload = { callId, reason, text: endTexts[reason] }
    this.remove(call, reason, ({ deliver }) => {
      deliver({ userId: caller.user.id, connection: caller.connection }, 'dmEndCall', payload)
      if (!call.isHidden) deliver({ userId: callee.user.id, connection: callee.connection }, 'dmEndCall', payload)
      if (call.connectedAt === null && (reason === 'hangUp' || reason === 'unanswered')) this.recordMissed(call)
    })
  }

  /** Ends a ringing call that is not accepted. @param decliner the device on which it was declined */
  decline(call: HostedCall, outcome: DeclineReason | 'busy', decliner: ConnectionRef | null): void {
    const { callId, caller, callee } = call
    // That the callee is in another call is not told.
    const response = { callId, accepted: false, reason: outcome === 'busy' ? 'declined' : outcome } as const
    const end = { callId, reason: 'declinedElsewhere', text: endTexts.declinedElsewhere } as const
    this.remove(call, outcome, ({ deliver }) => {
      deliver({ userId: caller.user.id, connection: caller.connection }, 'dmVoiceCallResponse', response)
      if (!call.isHidden) deliver({ userId: callee.user.id, connection: null, except: decliner }, 'dmEndCall', end)
      if (outcome !== 'declined') this.recordMissed(call)
    })
  }

  /** A call has begun, or runs now. */
  announce(call: HostedCall): void {
    const entry = toEntry(call)
    this.options.directory.set({ ...entry, host: this.options.region })
    this.options.announce(entry)
  }

  /** An accepted call was welcome: it does not count against its caller. */
  refundCharges({ caller, callee }: HostedCall): void {
    this.options.personLimiters.refundAll(unansweredCharges(caller.user.id, callee.user.id))
  }

  /** Sends a side what it may have missed: that the call was accepted, what the other side sends, and descriptions. */
  private sendStateAgain(call: HostedCall, side: Participant): void {
    const { callId, callee, connectedAt } = call
    const { events } = this.options
    const to = { userId: side.user.id, connection: side.connection }
    if (connectedAt === null) return
    if (side.role === 'caller') events.deliver(to, 'dmVoiceCallResponse', { callId, accepted: true, ...callee.media })
    events.deliver(to, 'dmCallMedia', { callId, ...otherSide(call, side).media })
    this.sendDescriptionAgain(call, side)
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

  /** Adds a call that rings from now on. */
  add(call: HostedCall): void {
    this.calls.set(call.callId, call)
    // It reports its own failures; a relay that is not there ends the call at its acceptance.
    void this.options.relay.warmUp()
    this.announce(call)
    if (!call.isHidden) this.ring(call, { userId: call.callee.user.id, connection: null })
    this.sweepTimer ??= setInterval(() => this.sweep(), SWEEP_INTERVAL_MS).unref()
  }

  private ring({ callId, callType, caller, isStaff }: HostedCall, to: EventTarget): void {
    const payload = { callId, callType, senderUsername: caller.user.username, sender: caller.user, isStaff }
    this.options.events.deliver(to, 'dmVoiceCallRequest', payload)
  }

  private giveWay(call: HostedCall, other: CallEntry): void {
    const isCalleeBusy = usersOf(other).includes(call.callee.user.id)
    if (areCrossed(toEntry(call), other)) this.cross(call, other)
    else if (call.connectedAt === null && isCalleeBusy) this.decline(call, 'busy', null)
    else this.end(call, 'failed')
  }

  /** Both called each other: the caller of this call accepts the other one. */
  private cross(call: HostedCall, { callId: acceptCallId, callType }: CallEntry): void {
    const { callId, caller, callee } = call
    const end = { callId, reason: 'hangUp', text: endTexts.hangUp } as const
    this.remove(call, 'crossed', ({ deliver }) => {
      const crossed = { callId, acceptCallId, callType }
      deliver({ userId: caller.user.id, connection: caller.connection }, 'dmCallCrossed', crossed)
      deliver({ userId: callee.user.id, connection: null }, 'dmEndCall', end)
    })
  }

  private recordMissed({ callId, callType, caller, callee, isHidden }: HostedCall): void {
    if (isHidden) return
    this.options.recordMissedCall({ callId, callType, callerId: caller.user.id, calleeId: callee.user.id })
  }

  /** Stops the media first, then tells the users, then the other regions, which forget the call with that. */
  private remove(call: HostedCall, outcome: CallOutcome, tellUsers: (events: CallEvents) => void): void {
    call.relay?.close()
    if (!this.calls.delete(call.callId)) return
    const { directory, region, events, announceEnd, onEnded } = this.options
    directory.remove(call.callId, region)
    tellUsers(events)
    announceEnd(call.callId)
    onEnded(outcome)
    if (this.calls.size > 0 || !this.sweepTimer) return
    clearInterval(this.sweepTimer)
    this.sweepTimer = null
  }

  private sweep(): void {
    const now = this.options.monotonicNow()
    for (const call of this.list()) {
      const expiry = findExpiry(call, now, this.options)
      if (expiry === 'offline') this.decline(call, expiry, null)
      else if (expiry) this.end(call, expiry)
    }
  }
}
