import { randomUUID } from 'node:crypto'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Execute } from '../database/define-write.ts'
import type { CommandEnvelope, CommandOutcome } from '../database/writer-client.ts'
import type { Position } from './replication/position.ts'

/** How long a command waits for a way to the primary before it is refused. */
const ROUTE_TIMEOUT_MS = 2_000
/** How long an answer waits for its region to show what it tells of. */
const VISIBILITY_TIMEOUT_MS = 5_000

/** A way to the writer as it is now: the door of this region, or the link to the region that has it. */
export interface WriteRoute {
  isLocal: boolean
  submit(order: CommandEnvelope, confirm: boolean): Promise<CommandOutcome>
}

export interface CommandRouterOptions {
  /** The way there is now, or null. */
  writeRoute: () => WriteRoute | null
  /** Whether a command may have to be carried out twice, and so needs an id. */
  isClustered: boolean
  /** Whether the site asks that another region has a change before its answer, for the writes that say so. */
  awaitReplicaAck: boolean
  /** More commands under way than this are refused with Busy. */
  maxInFlight: number
  /** Resolves true once this region shows what was there at the position, false when the time is over. */
  waitForPosition: (position: Position, deadlineMs: number) => Promise<boolean>
  onForwarded: (outcome: 'answered' | 'refused' | 'indeterminate') => void
  onStaleAnswer: () => void
}

/** `world.execute`: takes every command to the one writer, wherever it is, and brings its answer back. */
export class CommandRouter {
  private readonly options: CommandRouterOptions
  private inFlight = 0
  private readonly routeWaiters = new Set<() => void>()
  private onDrained: (() => void) | null = null

  constructor(options: CommandRouterOptions) {
    this.options = options
  }

  /** Commands that are not answered yet. */
  size(): number {
    return this.inFlight
  }

  /** There may be another road now: what waits for one looks again. */
  notifyRouteChange(): void {
    for (const look of [...this.routeWaiters]) look()
  }

  /** Refuses new work and waits until what was taken is answered. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      // Whoever asked takes the answer up in this turn of the event loop.
      this.onDrained = () => setImmediate(resolve)
      this.resolveDrainWhenIdle()
    })
  }

  readonly execute: Execute = (async (write, actor, input, { clientId = this.createCommandId() } = {}) => {
    if (this.onDrained) return refuse('ShuttingDown')
    if (this.inFlight >= this.options.maxInFlight) return refuse('Busy')
    this.inFlight++
    try {
      const claims = actor && { userId: actor.userId, sessionId: actor.sessionId }
      const envelope = { command: write.name, input, actor: claims, clientId }
      return await this.submitUntilKnown(envelope, write.awaitsReplicaAck && this.options.awaitReplicaAck)
    } finally {
      this.inFlight--
      this.resolveDrainWhenIdle()
    }
  }) as Execute // the answer is what this write answers

  private resolveDrainWhenIdle(): void {
    if (this.inFlight === 0) this.onDrained?.()
  }

  /** In a cluster a command may be submitted twice, and runs once under its id. */
  private createCommandId(): string | null {
    return this.options.isClustered ? `region:${randomUUID()}` : null
  }

  /** Sent again, under the same id, until it arrives or there is no way for too long. */
  private async submitUntilKnown(order: CommandEnvelope, confirm: boolean): Promise<object | Refusal> {
    let deadline = performance.now() + ROUTE_TIMEOUT_MS
    for (;;) {
      const road = this.options.writeRoute()
      if (road) {
        const carried = await road.submit(order, confirm)
        if (!road.isLocal) this.options.onForwarded(outcomeLabel(carried))
        if (carried !== 'indeterminate') return this.answerWhenVisible(carried, road)
        deadline = performance.now() + ROUTE_TIMEOUT_MS
      }
      if (!(await this.waitForOtherRoute(road, deadline))) return refuse('RegionCut')
    }
  }

  private async answerWhenVisible(
    carried: Exclude<CommandOutcome, 'indeterminate'>,
    road: WriteRoute,
  ): Promise<object | Refusal> {
    if ('refusal' in carried) return new Refusal(carried.refusal)
    if (road.isLocal || (await this.options.waitForPosition(carried.position, VISIBILITY_TIMEOUT_MS)))
      return carried.answer
    this.options.onStaleAnswer()
    return { ...carried.answer, behind: true }
  }

  /** Resolves true when there is a road that is not the one that was tried, false at the deadline. */
  private async waitForOtherRoute(tried: WriteRoute | null, deadline: number): Promise<boolean> {
    for (;;) {
      const now = this.options.writeRoute()
      if (now && now !== tried) return true
      const waitMs = deadline - performance.now()
      if (waitMs <= 0) return false
      await this.waitForRouteChange(waitMs)
    }
  }

  private waitForRouteChange(mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        clearTimeout(timer)
        this.routeWaiters.delete(look)
        resolve()
      }
      const timer = setTimeout(look, mostMs)
      this.routeWaiters.add(look)
    })
  }
}

function outcomeLabel(carried: CommandOutcome): 'answered' | 'refused' | 'indeterminate' {
  if (carried === 'indeterminate') return 'indeterminate'
  return 'refusal' in carried ? 'refused' : 'answered'
}
