import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Region } from '../../scripts/regions/region.ts'
import { until } from '../../scripts/regions/until.ts'
import { Refusal, type RefusalCode } from '../../src/shared/protocol/refusals.ts'
import type { Message } from '../../src/shared/room-chat/message.ts'
import { LineBroken } from '../live-line.ts'
import { Person, type Session } from './people.ts'

/** What a browser keeps in its outbox and sends again. */
const again = new Set<RefusalCode>(['RegionCut', 'ShuttingDown', 'Busy'])
/** Longer than any region takes to come back. */
const DEADLINE_MS = 90_000
/** Between two words of one person: so that nobody who comes back has missed more than is replayed. */
const BREATH_MS = 20

/**
 * Somebody who goes on as a browser does: sends again, under the same id, what was refused for the moment or broke off,
 * and comes back with a cursor, to the first of the regions that lets them in.
 */
export class Steadfast {
  /** What was answered, and when (performance.now()). */
  readonly answered: { content: string; at: number }[] = []
  /** When something was refused for the moment. */
  readonly refusedAt: number[] = []
  /** How often the log could not tell what was missed. */
  startedOver = 0
  private readonly regions: Region[]
  private readonly earlier: Message[] = []
  private person: Person
  private talking = true

  private constructor(regions: Region[], person: Person) {
    this.regions = regions
    this.person = person
  }

  static async comesTo(regions: [Region, ...Region[]], session: Session): Promise<Steadfast> {
    return new Steadfast(regions, await Person.comesTo(regions[0], session))
  }

  get session(): Session {
    return this.person.session
  }

  /** What was heard over all lines, in the order of hearing. */
  heard(): Message[] {
    return [...this.earlier, ...this.person.heard()]
  }

  /** Says one thing after another until told to stop. */
  async talk(): Promise<void> {
    for (let i = 0; this.talking; i++) {
      await this.say(`${this.session.username} ${i}`)
      await pause(BREATH_MS)
    }
  }

  stopTalking(): void {
    this.talking = false
  }

  /** Resolves when it is answered, however often it has to be sent. Throws when it is refused for good. */
  async say(content: string): Promise<void> {
    const clientId = randomUUID()
    await until(`${content} is answered`, () => this.trySaying(content, clientId), DEADLINE_MS)
  }

  /** The longest time between two answers, and from the first refusal to the last, in milliseconds. */
  waits(): { longestGapMs: number; refusedForMs: number } {
    const gaps = this.answered.map(({ at }, i) => at - (this.answered[i - 1]?.at ?? at))
    return {
      longestGapMs: Math.max(0, ...gaps),
      refusedForMs: (this.refusedAt.at(-1) ?? 0) - (this.refusedAt[0] ?? 0),
    }
  }

  private async trySaying(content: string, clientId: string): Promise<boolean> {
    try {
      const outcome = await this.person.trySaying(content, clientId)
      if (!(outcome instanceof Refusal)) return this.answered.push({ content, at: performance.now() }) > 0
      if (!again.has(outcome.body.code)) throw new Error(`${content} was refused: ${outcome.body.code}`)
      this.refusedAt.push(performance.now())
    } catch (error) {
      if (!(error instanceof LineBroken)) throw error
      await until(`${this.session.username} comes back`, () => this.comeBack(), DEADLINE_MS)
    }
    return false
  }

  private async comeBack(): Promise<boolean> {
    for (const region of this.regions) {
      const { session, line } = this.person
      const person = await Person.comesTo(region, session, line.cursor).catch(() => null)
      if (!person) continue
      this.earlier.push(...this.person.heard())
      if (!person.resumed) this.startedOver++
      this.person = person
      return true
    }
    return false
  }
}
