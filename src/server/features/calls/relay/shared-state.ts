import type { LegIndex } from './worker-protocol.ts'

/** Why a packet was not passed on. */
export const DROP_REASONS = [
  /** The source is not known, or has not been nominated. */
  'unknownSource',
  'notNominated',
  /** The other leg has not checked in, and as many packets wait as may. */
  'notReady',
  /** Neither STUN, DTLS nor SRTP by its first byte (RFC 7983), or too short or too long for it. */
  'unknownProtocol',
  'badSize',
  'callClosed',
  'rateLimit',
  'stunMalformed',
  'stunUnknownUser',
  'stunWrongIntegrity',
  'stunRateLimit',
  /** A nomination that was seen before, from another source. */
  'stunReplay',
  /** The source belongs to another leg. */
  'stunSourceTaken',
  /** A reader over TCP is too slow. */
  'tcpBacklog',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

const COUNTER_NAMES = [
  'packets',
  'bytes',
  'checks',
  // The worker's state, as gauges.
  'calls',
  'nominatedLegs',
  'sources',
  'usernames',
  'tcpConnections',
  'cpuMicroseconds',
  ...DROP_REASONS,
] as const
export type CounterName = (typeof COUNTER_NAMES)[number]

/** The place of each counter in the shared memory. */
export const COUNTERS = Object.fromEntries(COUNTER_NAMES.map((name, index) => [name, index])) as Record<
  CounterName,
  number // fromEntries forgets the names
>

const SLOT_WORDS = 4

/**
 * What the main thread and a relay worker share without messages. For each slot of a call: whether it is open, which the main
 * thread writes and the worker reads for each packet; and the time of each leg's last valid check, which the worker writes.
 * The counters are written by the worker alone.
 */
export class SharedRelayState {
  readonly buffer: SharedArrayBuffer
  private readonly slots: Int32Array
  private readonly counters: Float64Array

  constructor(maxCalls: number, buffer?: SharedArrayBuffer) {
    const counterBytes = COUNTER_NAMES.length * Float64Array.BYTES_PER_ELEMENT
    this.buffer = buffer ?? new SharedArrayBuffer(counterBytes + maxCalls * SLOT_WORDS * Int32Array.BYTES_PER_ELEMENT)
    this.counters = new Float64Array(this.buffer, 0, COUNTER_NAMES.length)
    this.slots = new Int32Array(this.buffer, counterBytes, maxCalls * SLOT_WORDS)
  }

  /** Marks a free slot as open, without a check. */
  open(slot: number): void {
    const start = slot * SLOT_WORDS
    Atomics.store(this.slots, start + 1, 0)
    Atomics.store(this.slots, start + 2, 0)
    Atomics.store(this.slots, start, 1)
  }

  close(slot: number): void {
    Atomics.store(this.slots, slot * SLOT_WORDS, 0)
  }

  isOpen(slot: number): boolean {
    return Atomics.load(this.slots, slot * SLOT_WORDS) === 1
  }

  /** Notes a valid check at `now`, in milliseconds of the clock that both threads share. */
  recordCheck(slot: number, leg: LegIndex, now: number): void {
    // 0 means never, so that this one moment is a millisecond late.
    Atomics.store(this.slots, slot * SLOT_WORDS + 1 + leg, Math.trunc(now) | 0 || 1)
  }

  /** Milliseconds since the leg's last valid check, null before the first. 32 bits wrap after 49 days: differences are right. */
  idleMs(slot: number, leg: LegIndex, now: number): number | null {
    const last = Atomics.load(this.slots, slot * SLOT_WORDS + 1 + leg)
    return last === 0 ? null : Math.max(0, ((Math.trunc(now) | 0) - last) | 0)
  }

  add(counter: number, amount: number): void {
    this.counters[counter] = (this.counters[counter] ?? 0) + amount
  }

  set(counter: number, value: number): void {
    this.counters[counter] = value
  }

  read(name: CounterName): number {
    return this.counters[COUNTERS[name]] ?? 0
  }
}

/** `performance.now()` begins at another moment in each thread, the clock below at one for all of the process. */
const threadStartMs = Number(process.hrtime.bigint()) / 1_000_000 - performance.now()

/** Monotonic milliseconds; the same in every thread of the process. */
export function monotonicMs(): number {
  return threadStartMs + performance.now()
}
