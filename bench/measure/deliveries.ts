import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks'
import type { BenchClient } from '../subjects/subject.ts'

const MARKER = 'Meydan-'
const DIGITS = 8
const FILLER = ' bu oda ne kadar kalabalik, herkes ayni anda konusuyor; yine de her soz yerine ulasiyor'

/** A message of exactly `bytes` ASCII characters that carries its number. */
export function numberedText(number: number, bytes: number): string {
  const head = MARKER + String(number).padStart(DIGITS, '0')
  return head + FILLER.repeat(Math.ceil(bytes / FILLER.length)).slice(0, bytes - head.length)
}

let nextNumber = 0

/**
 * Finds the numbered messages in whatever the server sends, without decoding it: several may share a frame. Counts
 * them and keeps how long each took from the moment at which it was due.
 */
export class DeliveryCounter {
  count = 0
  /** Microseconds. */
  readonly latency: RecordableHistogram = createHistogram()
  /** Numbers run on through all rounds, so that what comes late is not taken for something of this round. */
  readonly #first = nextNumber
  readonly #dueAt: number[] = []
  #settled: (() => void) | null = null
  #expected = Number.POSITIVE_INFINITY

  listen(visitors: BenchClient[]): void {
    for (const visitor of visitors) visitor.onPayload = (payload) => this.#hear(payload)
  }

  /** Notes that the next message was due at `at`, and answers with its number. */
  scheduleMessage(at: number): number {
    this.#dueAt.push(at)
    return nextNumber++
  }

  /** Resolves with true once `expected` deliveries were counted, with false after `patienceMs` without that. */
  async waitForCount(expected: number, patienceMs: number): Promise<boolean> {
    this.#expected = expected
    if (this.count >= expected) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#settled = () => resolve(true)
    const late = setTimeout(() => resolve(false), patienceMs)
    const complete = await promise
    clearTimeout(late)
    return complete
  }

  #hear(payload: Buffer): void {
    const now = performance.now()
    for (let at = payload.indexOf(MARKER); at >= 0; at = payload.indexOf(MARKER, at + MARKER.length)) {
      const number = Number(payload.toString('latin1', at + MARKER.length, at + MARKER.length + DIGITS))
      const dueAt = this.#dueAt[number - this.#first]
      if (dueAt === undefined) continue
      this.latency.record(Math.max(1, Math.round((now - dueAt) * 1000)))
      this.count += 1
    }
    if (this.count >= this.#expected) this.#settled?.()
  }
}
