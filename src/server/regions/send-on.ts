import { randomUUID } from 'node:crypto'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Execute, ExecuteOptions } from '../database/execute.ts'
import type { Carried, Order } from '../database/write-door.ts'
import type { Position } from './position.ts'

/** How long a command waits for a way to the primary before it is refused. */
const HOLD_MS = 2_000
/** How long an answer waits for its region to show what it tells of. */
const SHOW_MS = 5_000
const NOWHERE = { inRoomForMs: null }

/** A way to the writer as it is now: the door of this region, or the link to the region that has it. */
export interface Road {
  isHere: boolean
  carry(order: Order, confirm: boolean): Promise<Carried>
}

export interface CommandRoadOptions {
  /** The way there is now, or null. */
  road: () => Road | null
  /** Whether a command may have to be carried out twice, and so needs an id. */
  amongRegions: boolean
  /** More commands under way than this are refused with Busy. */
  mostUnderWay: number
  /** Resolves true once this region shows what was there at the position, false when the time is over. */
  reached: (position: Position, deadlineMs: number) => Promise<boolean>
  onForwarded: (outcome: 'answered' | 'refused' | 'lost') => void
  onBehind: () => void
}

/** `world.execute`: takes every command to the one writer, wherever it is, and brings its answer back. */
export class CommandRoad {
  private readonly options: CommandRoadOptions
  private underWay = 0
  private readonly waiting = new Set<() => void>()
  private drained: (() => void) | null = null

  constructor(options: CommandRoadOptions) {
    this.options = options
  }

  /** Commands that are not answered yet. */
  size(): number {
    return this.underWay
  }

  /** There may be another road now: what waits for one looks again. */
  changed(): void {
    for (const look of [...this.waiting]) look()
  }

  /** Refuses new work and waits until what was taken is answered. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      // Whoever asked takes the answer up in this turn of the event loop.
      this.drained = () => setImmediate(resolve)
      this.settle()
    })
  }

  readonly execute: Execute = (async (command, actor, input, options = {}) => {
    if (this.drained) return refuse('ShuttingDown')
    if (this.underWay >= this.options.mostUnderWay) return refuse('Busy')
    this.underWay++
    try {
      const claims = actor && { userId: actor.userId, sessionId: actor.sessionId }
      return await this.send({ command, input, actor: claims, ...this.idAndMoment(options) }, options.confirm ?? false)
    } finally {
      this.underWay--
      this.settle()
    }
  }) as Execute // the answer's type follows from the command's name

  private settle(): void {
    if (this.underWay === 0) this.drained?.()
  }

  private idAndMoment({ clientId, moment = NOWHERE }: ExecuteOptions): Pick<Order, 'clientId' | 'moment'> {
    const own = this.options.amongRegions ? `region:${randomUUID()}` : null
    return { clientId: clientId ?? own, moment }
  }

  /** Sent again, under the same id, until it arrives or there is no way for too long. */
  private async send(order: Order, confirm: boolean): Promise<object | Refusal> {
    let deadline = performance.now() + HOLD_MS
    for (;;) {
      const road = this.options.road()
      if (road) {
        const carried = await road.carry(order, confirm)
        if (!road.isHere) this.options.onForwarded(outcomeOf(carried))
        if (carried !== 'lost') return this.arrived(carried, road)
        deadline = performance.now() + HOLD_MS
      }
      if (!(await this.anotherRoad(road, deadline))) return refuse('RegionCut')
    }
  }

  private async arrived(carried: Exclude<Carried, 'lost'>, road: Road): Promise<object | Refusal> {
    if ('refusal' in carried) return new Refusal(carried.refusal)
    if (road.isHere || (await this.options.reached(carried.position, SHOW_MS))) return carried.answer
    this.options.onBehind()
    return { ...carried.answer, behind: true }
  }

  /** Resolves true when there is a road that is not the one that was tried, false at the deadline. */
  private async anotherRoad(tried: Road | null, deadline: number): Promise<boolean> {
    for (;;) {
      const now = this.options.road()
      if (now && now !== tried) return true
      const waitMs = deadline - performance.now()
      if (waitMs <= 0) return false
      await this.change(waitMs)
    }
  }

  private change(mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        clearTimeout(timer)
        this.waiting.delete(look)
        resolve()
      }
      const timer = setTimeout(look, mostMs)
      this.waiting.add(look)
    })
  }
}

function outcomeOf(carried: Carried): 'answered' | 'refused' | 'lost' {
  if (carried === 'lost') return 'lost'
  return 'refusal' in carried ? 'refused' : 'answered'
}
