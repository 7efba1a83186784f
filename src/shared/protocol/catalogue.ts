import type * as v from 'valibot'
import type { CommandSpec, EventSpec, LoggedEventSpec, RouteSpec } from './define.ts'

// Each feature adds to these three interfaces in its own protocol files, so that no file lists the features. The server
// collects the specs themselves at its start (src/server/kernel/protocol/catalogue.ts); the browser uses the types alone.

/** Every command that a client may send, by the specification's names. */
// biome-ignore lint/suspicious/noEmptyInterface: features add its members
export interface Commands {}
/** Every event that a client may receive. */
// biome-ignore lint/suspicious/noEmptyInterface: features add its members
export interface Events {}
/** Every route below `/api`. */
// biome-ignore lint/suspicious/noEmptyInterface: features add its members
export interface Routes {}

export type CommandName = keyof Commands
export type CommandInput<N extends CommandName> = v.InferOutput<Commands[N]['input']>
export type CommandAnswer<N extends CommandName> = v.InferOutput<Commands[N]['answer']>
export type EventName = keyof Events
export type EventPayload<N extends EventName> = v.InferOutput<Events[N]['payload']>
/** Events that are rows of the log. */
export type LoggedEventName = { [N in EventName]: Events[N] extends LoggedEventSpec ? N : never }[EventName]
export type RouteName = keyof Routes
export type RouteAnswer<N extends RouteName> = v.InferOutput<Routes[N]['answer']>

/** What a protocol file (`src/shared/<feature>/protocol.ts` or `*-protocol.ts`) may export for the catalogue. */
export interface ProtocolModule {
  commands?: Record<string, CommandSpec>
  events?: Record<string, EventSpec>
  routes?: Record<string, RouteSpec>
  /** Schemas that documents describe once, by name. */
  entities?: Record<string, v.GenericSchema>
}
