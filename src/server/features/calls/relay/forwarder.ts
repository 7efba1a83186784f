import { addressGroup } from '../../../kernel/http/client-address.ts'
import { type Credential, Leg } from './leg.ts'
import { COUNTERS, type DropReason, type SharedRelayState } from './shared-state.ts'
import { type Endpoint, Source, SourceTable } from './source-table.ts'
import { encodeSuccess, isOtherStun, type ScannedCheck, scanCheck, verifyCheck } from './stun.ts'
import type { LegCredentials, LegIndex, RelayLimits } from './worker-protocol.ts'

/** The largest packet of media or DTLS: what fits into Ethernet's 1,500 bytes. */
export const MAX_PACKET_BYTES = 1_500
const MIN_MEDIA_BYTES = 12
const MIN_DTLS_BYTES = 13
/** A browser's consent to receive on an address ends this long after its last check (RFC 7675, section 5.1). */
const CONSENT_MS = 30_000

interface ForwarderOptions {
  state: SharedRelayState
  limits: RelayLimits
  /** Monotonic milliseconds, for the shared memory and the budgets. */
  now: () => number
}

/**
 * The calls of one worker: answers connectivity checks as an ICE-lite peer (RFC 8445) and passes DTLS, SRTP and SRTCP unopened
 * from one leg's nominated source to that of the other. Knows no sockets; endpoints hand it packets.
 */
export class Forwarder {
  private readonly state: SharedRelayState
  private readonly limits: RelayLimits
  private readonly now: () => number
  private readonly calls = new Map<number, readonly [Leg, Leg]>()
  private readonly credentials = new Map<string, Credential>()
  private readonly sources = new SourceTable()
  private readonly budget: CheckBudget
  private readonly check: ScannedCheck = { usernameFragment: '', isNominating: false, transaction: 0 }

  constructor({ state, limits, now }: ForwarderOptions) {
    this.state = state
    this.limits = limits
    this.now = now
    this.budget = new CheckBudget(limits)
  }

  openCall(slot: number, credentials: readonly [LegCredentials, LegCredentials]): void {
    const legs = [new Leg(slot, 0, this.limits), new Leg(slot, 1, this.limits)] as const
    legs[0].other = legs[1]
    legs[1].other = legs[0]
    this.calls.set(slot, legs)
    this.addCredential(legs[0], credentials[0])
    this.addCredential(legs[1], credentials[1])
    this.recordSizes()
  }

  restartLeg(slot: number, index: LegIndex, credentials: LegCredentials): void {
    const leg = this.calls.get(slot)?.[index]
    if (leg) this.addCredential(leg, credentials)
  }

  /** Forgets a call, its credentials and its sources. */
  closeCall(slot: number): void {
    for (const leg of this.calls.get(slot) ?? []) {
      this.removeCredentials(leg.credentials.splice(0))
      this.nominate(leg, null)
      leg.takeEarly()
      for (const source of leg.sources.splice(0)) this.removeSource(source)
    }
    this.calls.delete(slot)
    this.recordSizes()
  }

  /** A datagram of a UDP socket. */
  receive(data: Buffer, endpoint: Endpoint, address: string, port: number): void {
    const source = this.sources.find(endpoint, address, port)
    // Nothing can be sent to port 0: a socket throws. 0 to 3 is STUN (RFC 7983).
    if (port === 0) this.drop('unknownSource')
    else if ((data[0] ?? 255) < 4) this.receiveStun(data, source, endpoint, address, port)
    else if (source === null) this.drop('unknownSource')
    else this.receiveMedia(data, source)
  }

  /** A packet of a source that has checked in: DTLS, SRTP or SRTCP. */
  receiveMedia(data: Buffer, source: Source): void {
    const { leg } = source
    const reason = this.findDropReason(data, leg)
    if (reason === null && leg.nominated !== source && this.isSelectable(source)) this.nominate(leg, source)
    const target = leg.other.nominated
    if (reason !== null) this.drop(reason)
    else if (target === null || leg.nominated !== source) this.keepEarly(data, source)
    else this.forward(data, target)
  }

  /**
   * A STUN message; `known` is the source, if it has checked in. Returns the source of an authentic check, else null. What is
   * refused gets no answer, so that the relay answers no forged address.
   */
  receiveStun(data: Buffer, known: Source | null, endpoint: Endpoint, address: string, port: number): Source | null {
    const { check } = this
    if (!scanCheck(data, check)) {
      if (!isOtherStun(data)) this.drop('stunMalformed')
      return null
    }
    const credential = this.credentials.get(check.usernameFragment)
    if (!credential) return this.refuse('stunUnknownUser')
    const { leg, key } = credential
    if (!this.state.isOpen(leg.slot)) return this.refuse('callClosed')
    const now = this.now()
    const isKnown = known !== null && known.leg === leg
    if (!(isKnown ? leg.takeCheck(now, this.limits) : this.takeStrangerCheck(leg, address, now)))
      return this.refuse('stunRateLimit')
    const transactionId = verifyCheck(data, key)
    if (!transactionId) return this.refuse('stunWrongIntegrity')
    if (known && !isKnown) return this.refuse('stunSourceTaken')
    // A retransmission comes from the same source and nominates nothing new.
    const isRepeatable = isKnown && (!check.isNominating || leg.nominated === known)
    if (!isRepeatable && leg.hasSeenTransaction(check.transaction)) return this.refuse('stunReplay')
    const source = isKnown ? known : this.addSource(leg, endpoint, address, port)
    this.acceptCheck(source, credential, now)
    endpoint.send(encodeSuccess(transactionId, address, port, key), port, address)
    return source
  }

  /** A connection over TCP is closed. */
  dropSource(source: Source): void {
    const { leg } = source
    const index = leg.sources.indexOf(source)
    if (index >= 0) leg.sources.splice(index, 1)
    if (leg.nominated === source) this.nominate(leg, null)
    this.removeSource(source)
    this.recordSizes()
  }

  /** Counts a packet that is not passed on. */
  drop(reason: DropReason): void {
    this.state.add(COUNTERS[reason], 1)
  }

  private forward(data: Buffer, target: Source): void {
    target.endpoint.send(data, target.port, target.address)
    this.state.add(COUNTERS.packets, 1)
    this.state.add(COUNTERS.bytes, data.length)
  }

  /** Why a packet of this leg may not be passed on, or null. Takes it from the leg's rate. */
  private findDropReason(data: Buffer, leg: Leg): DropReason | null {
    const { length } = data
    const first = data[0] ?? 255
    // 128 to 191 is RTP and RTCP, 20 to 63 DTLS (RFC 7983).
    const isMedia = first >= 128 && first <= 191
    if (!this.state.isOpen(leg.slot)) return 'callClosed'
    if (!(isMedia || (first >= 20 && first <= 63))) return 'unknownProtocol'
    if (length > MAX_PACKET_BYTES || length < (isMedia ? MIN_MEDIA_BYTES : MIN_DTLS_BYTES)) return 'badSize'
    return leg.takeTokens(length, this.now(), this.limits) ? null : 'rateLimit'
  }

  /**
   * Whether the leg moves to this source when it sends media. Firefox nominates every pair that answers, and sends on the
   * one of the highest priority (aggressive nomination, RFC 5245, section 8.1.1.2), which need not be the latest.
   */
  private isSelectable(source: Source): boolean {
    return source.hasNominated && this.now() - source.checkedAt < CONSENT_MS
  }

  private refuse(reason: DropReason): null {
    this.drop(reason)
    return null
  }

  private takeStrangerCheck(leg: Leg, address: string, now: number): boolean {
    if (!leg.hasStrangerCheck(now, this.limits) || !this.budget.take(address, now)) return false
    leg.takeStrangerCheck(now)
    return true
  }

  private acceptCheck(source: Source, credential: Credential, now: number): void {
    const { leg } = source
    this.removeCredentials(leg.endCredentialsBefore(credential))
    this.state.recordCheck(leg.slot, leg.index, now)
    this.state.add(COUNTERS.checks, 1)
    leg.rememberTransaction(this.check.transaction)
    source.checkedAt = now
    if (!this.check.isNominating) return
    source.hasNominated = true
    if (leg.nominated !== source) this.nominate(leg, source)
  }

  /** Sets the nominated source, and sends the kept packets on once both legs have one. */
  private nominate(leg: Leg, source: Source | null): void {
    this.state.add(COUNTERS.nominatedLegs, (source ? 1 : 0) - (leg.nominated ? 1 : 0))
    leg.nominated = source
    if (!(source && leg.other.nominated)) return
    for (const sender of [leg, leg.other]) {
      const target = sender.other.nominated
      for (const data of sender.takeEarly()) if (target) this.forward(data, target)
    }
  }

  private keepEarly(data: Buffer, source: Source): void {
    const { leg } = source
    // Once one is nominated, another source of the leg is one that it has left.
    if (leg.nominated !== null && leg.nominated !== source) this.drop('notNominated')
    else if (!leg.keepEarly(source, data)) this.drop('notReady')
  }

  private addSource(leg: Leg, endpoint: Endpoint, address: string, port: number): Source {
    const source = new Source(leg, endpoint, address, port)
    this.sources.add(source)
    const replaced = leg.addSource(source)
    if (replaced) this.removeSource(replaced)
    this.recordSizes()
    return source
  }

  private removeSource(source: Source): void {
    this.sources.remove(source)
    source.endpoint.release()
  }

  private addCredential(leg: Leg, credentials: LegCredentials): void {
    const { added, removed } = leg.addCredential(credentials)
    this.credentials.set(added.usernameFragment, added)
    this.removeCredentials(removed)
  }

  private removeCredentials(credentials: readonly Credential[]): void {
    for (const { usernameFragment } of credentials) this.credentials.delete(usernameFragment)
    if (credentials.length > 0) this.recordSizes()
  }

  private recordSizes(): void {
    this.state.set(COUNTERS.calls, this.calls.size)
    this.state.set(COUNTERS.sources, this.sources.size)
    this.state.set(COUNTERS.usernames, this.credentials.size)
  }
}

/** Bounds the integrity checks of sources that have not checked in, by address and in all, in windows of one second. */
class CheckBudget {
  private readonly limits: RelayLimits
  private readonly byAddress = new Map<string, number>()
  private second = 0
  private total = 0

  constructor(limits: RelayLimits) {
    this.limits = limits
  }

  /** Takes one check of this address. Returns false when the budget of the second is spent. */
  take(address: string, now: number): boolean {
    const second = Math.trunc(now / 1_000)
    if (second !== this.second) this.reset(second)
    if (this.total >= this.limits.strangerChecks) return false
    const key = addressGroup(address)
    const count = this.byAddress.get(key) ?? 0
    if (count >= this.limits.strangerChecksPerAddress) return false
    this.byAddress.set(key, count + 1)
    this.total++
    return true
  }

  private reset(second: number): void {
    this.second = second
    this.total = 0
    if (this.byAddress.size > 0) this.byAddress.clear()
  }
}
