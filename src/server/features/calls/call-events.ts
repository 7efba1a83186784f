import { events } from '../../../shared/calls/protocol.ts'
import type { EventName, EventPayload } from '../../../shared/protocol/catalogue.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { ConnectionRef } from './call-commands.ts'

export type CallEventName = keyof typeof events & EventName
export const callEventNames = Object.keys(events) as CallEventName[] // the keys of a plain object

/** Who gets an event of a call. */
export interface EventTarget {
  userId: UserId
  /** Null: all connections of the user, in all regions. */
  connection: ConnectionRef | null
  /** With null: all but this one. */
  except?: ConnectionRef | null
}

/** Sends events of calls to connections of any region. Those of one call arrive in the order in which they are sent. */
export interface CallEvents {
  deliver<N extends CallEventName>(to: EventTarget, name: N, payload: EventPayload<N>): void
}
