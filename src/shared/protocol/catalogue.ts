import type * as v from 'valibot'
import * as accounts from '../accounts/protocol.ts'
import * as roles from '../accounts/roles-protocol.ts'
import * as sessions from '../accounts/sessions-protocol.ts'
import * as moderation from '../moderation/protocol.ts'
import * as presence from '../presence/protocol.ts'
import * as profiles from '../profiles/protocol.ts'
import * as regions from '../regions/protocol.ts'
import * as relations from '../relations/protocol.ts'
import * as roomChat from '../room-chat/protocol.ts'
import * as rooms from '../rooms/protocol.ts'
import * as settings from '../settings/protocol.ts'
import * as shell from '../site-status/protocol.ts'
import type { LoggedEventSpec } from './define.ts'

/** Every command that a client may send, by the specification's names. */
export const commands = {
  ...accounts.commands,
  ...rooms.commands,
  ...roomChat.commands,
  ...shell.commands,
  ...moderation.commands,
  ...settings.commands,
}
/** Every event that a client may receive. */
export const events = {
  ...accounts.events,
  ...roles.events,
  ...rooms.events,
  ...roomChat.events,
  ...presence.events,
  ...shell.events,
  ...relations.events,
  ...moderation.events,
}
/** Every route below `/api`. */
export const routes = {
  ...accounts.routes,
  ...sessions.routes,
  ...roles.routes,
  ...rooms.routes,
  ...shell.routes,
  ...presence.routes,
  ...profiles.routes,
  ...relations.routes,
  ...moderation.routes,
  ...regions.routes,
}

export type CommandName = keyof typeof commands
export type CommandInput<N extends CommandName> = v.InferOutput<(typeof commands)[N]['input']>
export type CommandAnswer<N extends CommandName> = v.InferOutput<(typeof commands)[N]['answer']>
export type EventName = keyof typeof events
/** Events that are rows of the log. */
export type LoggedEventName = { [N in EventName]: (typeof events)[N] extends LoggedEventSpec ? N : never }[EventName]
export type EventPayload<N extends EventName> = v.InferOutput<(typeof events)[N]['payload']>
