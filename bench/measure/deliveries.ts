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
 * Finds the numbered messages in payloads of any protocol without decoding; several may share a frame. Counts
 * them and records the latency of each from its due time.
 */
export class DeliveryCounter {
  count = 0
  /** Microseconds from the due time to the delivery. */
  readonly latency: RecordableHistogram = createHistogram()
  /** Numbers continue through all rounds, so that a timer delivery of an earlier round is not counted. */
  readonly #first = nextNumber
  readonly #dueAt: number[] = []
  #resolveCount: (() => void) | null = null
  #expected = Number.POSITIVE_INFINITY

  listen(clients: BenchClient[]): void {
    for (const client of clients) client.onPayload = (payload) => this.#readPayload(payload)
  }

  /** Records that the next message is due at `at` and returns its number. */
  scheduleMessage(at: number): number {
    this.#dueAt.push(at)
    return nextNumber++
  }

  /** Resolves with true when `expected` deliveries are counted, with false after `timeoutMs`. */
  async waitForCount(expected: number, timeoutMs: number): Promise<boolean> {
    this.#expected = expected
    if (this.count >= expected) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#resolveCount = () => resolve(true)
    const timer = setTimeout(() => resolve(false), timeoutMs)
    const complete = await promise
    clearTimeout(timer)
    return complete
  }

  #readPayload(payload: Buffer): void {
    const now = performance.now()
    for (let at = payload.indexOf(MARKER); at >= 0; at = payload.indexOf(MARKER, at + MARKER.length)) {
      const number = Number(payload.toString('latin1', at + MARKER.length, at + MARKER.length + DIGITS))
      const dueAt = this.#dueAt[number - this.#first]
      if (dueAt === undefined) continue
      this.latency.record(Math.max(1, Math.round((now - dueAt) * 1000)))
      this.count += 1
    }
    if (this.count >= this.#expected) this.#resolveCount?.()
  }
}
