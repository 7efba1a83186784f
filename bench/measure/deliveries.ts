import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks'
import type { Visitor } from '../contenders/contender.ts'

const MARK = 'Meydan-'
const DIGITS = 8
const FILLER = ' bu oda ne kadar kalabalik, herkes ayni anda konusuyor; yine de her soz yerine ulasiyor'

/** A message of exactly `bytes` ASCII characters that carries its number. */
export function numberedText(number: number, bytes: number): string {
  const head = MARK + String(number).padStart(DIGITS, '0')
  return head + FILLER.repeat(Math.ceil(bytes / FILLER.length)).slice(0, bytes - head.length)
}

let said = 0

/**
 * Finds the numbered messages in whatever the server sends, without decoding it: several may share a frame. Counts
 * them and keeps how long each took from the moment at which it was due.
 */
export class Deliveries {
  count = 0
  /** Microseconds. */
  readonly latency: RecordableHistogram = createHistogram()
  /** Numbers run on through all rounds, so that what comes late is not taken for something of this round. */
  readonly #first = said
  readonly #dueAt: number[] = []
  #settled: (() => void) | null = null
  #expected = Number.POSITIVE_INFINITY

  listen(visitors: Visitor[]): void {
    for (const visitor of visitors) visitor.onPayload = (payload) => this.#hear(payload)
  }

  /** Notes that the next message was due at `at`, and answers with its number. */
  due(at: number): number {
    this.#dueAt.push(at)
    return said++
  }

  /** Resolves with true once `expected` deliveries were counted, with false after `patienceMs` without that. */
  async all(expected: number, patienceMs: number): Promise<boolean> {
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
    for (let at = payload.indexOf(MARK); at >= 0; at = payload.indexOf(MARK, at + MARK.length)) {
      const number = Number(payload.toString('latin1', at + MARK.length, at + MARK.length + DIGITS))
      const dueAt = this.#dueAt[number - this.#first]
      if (dueAt === undefined) continue
      this.latency.record(Math.max(1, Math.round((now - dueAt) * 1000)))
      this.count += 1
    }
    if (this.count >= this.#expected) this.#settled?.()
  }
}
