import { randomUUID } from 'node:crypto'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { CommandEnvelope } from '../database/commands/command-envelope.ts'
import type { Execute } from '../database/commands/define-command.ts'
import type { Position } from '../database/position.ts'
import type { CommandOutcome } from '../database/writer-client.ts'

/** A command without a route to the primary is refused after this. */
const ROUTE_TIMEOUT_MS = 2_000
/** A forwarded answer waits this long for the replica to have its position. */
const VISIBILITY_TIMEOUT_MS = 5_000

/** The current route to the writer: this region's own, or the link to the primary. */
export interface WriteRoute {
  isLocal: boolean
  submit(envelope: CommandEnvelope, awaitReplicaAck: boolean): Promise<CommandOutcome>
}

export interface CommandRouterOptions {
  /** The current route; null without one. */
  writeRoute: () => WriteRoute | null
  /** Whether a command may be submitted twice, and so needs an id. */
  isClustered: boolean
  /** The setting: writes with `awaitsReplicaAck` are answered once another region has them. */
  awaitReplicaAck: boolean
  /** More unanswered commands than this are refused with Busy. */
  maxInFlight: number
  /** Resolves true once this region has the position, false after `timeoutMs`. */
  waitForPosition: (position: Position, timeoutMs: number) => Promise<boolean>
  onForwarded: (outcome: 'answered' | 'refused' | 'indeterminate') => void
  onStaleAnswer: () => void
}

/** `appContext.execute`: submits every command to the writer, in this region or in another, and returns its answer. */
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

  /** The route may have changed: waiting commands check it. */
  notifyRouteChange(): void {
    for (const wake of [...this.routeWaiters]) wake()
  }

  /** Refuses new commands from now on. Resolves when the accepted ones are answered. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      // Callers of `execute` handle their answers in this turn of the event loop.
      this.onDrained = () => setImmediate(resolve)
      this.resolveDrainWhenIdle()
    })
  }

  readonly execute: Execute = (async (command, actor, input, { clientId = this.createCommandId() } = {}) => {
    if (this.onDrained) return refuse('ShuttingDown')
    if (this.inFlight >= this.options.maxInFlight) return refuse('Busy')
    this.inFlight++
    try {
      const claims = actor && { userId: actor.userId, sessionId: actor.sessionId }
      const envelope = { command: command.name, input, actor: claims, clientId }
      return await this.submitUntilKnown(envelope, command.awaitsReplicaAck && this.options.awaitReplicaAck)
    } finally {
      this.inFlight--
      this.resolveDrainWhenIdle()
    }
  }) as Execute // the answer is what this command answers

  private resolveDrainWhenIdle(): void {
    if (this.inFlight === 0) this.onDrained?.()
  }

  /** In a cluster a command may be submitted twice, and runs once under its id. */
  private createCommandId(): string | null {
    return this.options.isClustered ? `region:${randomUUID()}` : null
  }

  /** Retries an indeterminate command under the same id; RegionCut after ROUTE_TIMEOUT_MS without another route. */
  private async submitUntilKnown(envelope: CommandEnvelope, awaitReplicaAck: boolean): Promise<object | Refusal> {
    let deadline = performance.now() + ROUTE_TIMEOUT_MS
    for (;;) {
      const route = this.options.writeRoute()
      if (route) {
        const outcome = await route.submit(envelope, awaitReplicaAck)
        if (!route.isLocal) this.options.onForwarded(outcomeLabel(outcome))
        if (outcome !== 'indeterminate') return this.answerWhenVisible(outcome, route)
        deadline = performance.now() + ROUTE_TIMEOUT_MS
      }
      if (!(await this.waitForOtherRoute(route, deadline))) return refuse('RegionCut')
    }
  }

  private async answerWhenVisible(
    outcome: Exclude<CommandOutcome, 'indeterminate'>,
    route: WriteRoute,
  ): Promise<object | Refusal> {
    if ('refusal' in outcome) return new Refusal(outcome.refusal)
    if (route.isLocal || (await this.options.waitForPosition(outcome.position, VISIBILITY_TIMEOUT_MS)))
      return outcome.answer
    this.options.onStaleAnswer()
    return { ...outcome.answer, behind: true }
  }

  /** Resolves true when there is a route other than `tried`, false at the deadline. */
  private async waitForOtherRoute(tried: WriteRoute | null, deadline: number): Promise<boolean> {
    for (;;) {
      const route = this.options.writeRoute()
      if (route && route !== tried) return true
      const waitMs = deadline - performance.now()
      if (waitMs <= 0) return false
      await this.waitForRouteChange(waitMs)
    }
  }

  private waitForRouteChange(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.routeWaiters.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, timeoutMs)
      this.routeWaiters.add(wake)
    })
  }
}

function outcomeLabel(outcome: CommandOutcome): 'answered' | 'refused' | 'indeterminate' {
  if (outcome === 'indeterminate') return 'indeterminate'
  return 'refusal' in outcome ? 'refused' : 'answered'
}
