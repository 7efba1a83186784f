import { decode } from '@msgpack/msgpack'
import { type EventPayload, events, type LoggedEventName } from '../../../../shared/protocol/catalogue.ts'
import type { EventSpec, LoggedEventSpec } from '../../../../shared/protocol/define.ts'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import type { Audience, Stream } from './streams.ts'

/** A row of the event log, with the columns that fan-out and replay need; `payload` is MessagePack. */
export interface LoggedEvent<N extends LoggedEventName = LoggedEventName> {
  seq: number
  stream: Stream
  actorId: UserId | null
  audience: Audience | null
  name: N
  payload: Uint8Array
}

/** The event's entry in the catalogue; undefined for an event that a newer version of the site wrote. */
export function specOfEvent(name: LoggedEventName): LoggedEventSpec | undefined {
  const spec: EventSpec | undefined = events[name]
  return spec?.isLogged ? spec : undefined
}

export function isEvent<N extends LoggedEventName>(event: LoggedEvent, name: N): event is LoggedEvent<N> {
  return event.name === name
}

/** The payload of an event, decoded from MessagePack. */
export function decodeEventPayload<N extends LoggedEventName>({ payload }: LoggedEvent<N>): EventPayload<N> {
  return decode(payload) as EventPayload<N> // only `tx.emit` writes payloads, typed by the event's name
}

/** Two histories can share a sequence number, but practically never its whole content. */
export function isSameEvent(a: LoggedEvent, b: LoggedEvent): boolean {
  return (
    a.seq === b.seq &&
    a.stream === b.stream &&
    a.actorId === b.actorId &&
    a.audience === b.audience &&
    a.name === b.name &&
    Buffer.compare(a.payload, b.payload) === 0
  )
}
