import type { EventName, EventPayload } from '../../../shared/protocol/catalogue.ts'
import type { Environment } from '../platform/environment.ts'
import { runEventHandler } from './event-scope.ts'
import { ReplayBuffer } from './replay-buffer.ts'

type EventHandler = (payload: never, seq: number | null) => void

/** The handlers of a connection's events. */
export class EventHandlers {
  /** By the name of their event, in the order in which they were added. */
  readonly handlers = new Map<string, EventHandler[]>()
  /** Events for stores whose code loads later; a newly shown page restarts it. */
  readonly replayBuffer = new ReplayBuffer()
  protected readonly environment: Environment

  constructor(environment: Environment) {
    this.environment = environment
  }

  /** Calls `handler` for each event of that name; `seq` is null for an ephemeral event. */
  on<N extends EventName>(name: N, handler: (payload: EventPayload<N>, seq: number | null) => void): () => void {
    this.handlers.set(name, [...(this.handlers.get(name) ?? []), handler])
    return () => {
      const others = this.handlers.get(name)?.filter((other) => other !== handler)
      this.handlers.set(name, others ?? [])
    }
  }

  /** Passes an event to its handlers. An unknown event comes from a newer server and is ignored. */
  deliver(name: string, payload: unknown, seq: number | null): void {
    this.replayBuffer.add({ name, payload, seq })
    this.callHandlers(this.handlers.get(name) ?? [], name, payload, seq)
  }

  /** Calls the handlers; one that throws does not stop the others. */
  callHandlers(handlers: EventHandler[], name: string, payload: unknown, seq: number | null): void {
    for (const handler of handlers) {
      try {
        runEventHandler(() => handler(payload as never, seq)) // the server validated it against the event's schema
      } catch (error) {
        this.environment.reportError(`the handler of ${name} failed`, error)
      }
    }
  }
}
