import type { UserId } from '../../../../shared/protocol/ids.ts'

/** The name of an ordered part of the event log. Only `defineStream` and `defineStreamFamily` create one. */
export type Stream = string & { readonly [brand]: true }
declare const brand: unique symbol

/** Narrows what an event's stream gets: only the actor and root admins receive it, or only one session. */
export type Audience = 'actor' | `session:${number}`

/** Streams of one kind, one per row id. */
export interface StreamFamily<Id extends number> {
  (id: Id): Stream
  /** The row id in the stream's name; null for a stream of another family. */
  idOf(stream: Stream): Id | null
}

const SEPARATOR = ' '

const names = new Set<string>()

/** Declares a single stream. Throws when the name is in use. */
export function defineStream(name: string): Stream {
  claim(name)
  return name as Stream // the brand is given here and below only
}

/** Declares a stream per id: `room:7`. Throws when the family's name is in use. */
export function defineStreamFamily<Id extends number>(name: string): StreamFamily<Id> {
  claim(name)
  const prefix = `${name}:`
  return Object.assign((id: Id) => `${prefix}${id}` as Stream, {
    // The family's streams are created from an Id, so the rest of the name is one.
    idOf: (stream: Stream) => (stream.startsWith(prefix) ? (Number(stream.slice(prefix.length)) as Id) : null),
  })
}

/** Two streams that get one event, whose row is stored once under both names. Nobody subscribes to the result itself. */
export function joinStreams(one: Stream, other: Stream): Stream {
  return `${one}${SEPARATOR}${other}` as Stream
}

/** The streams of an event: one, or two that are joined. */
export function streamsOf(stream: Stream): Stream[] {
  return stream.split(SEPARATOR) as Stream[] // names have no separator, see `claim`
}

function claim(name: string): void {
  if (name.includes(SEPARATOR)) throw new Error(`the stream ${name} has a space in its name`)
  if (names.has(name)) throw new Error(`two features define the stream ${name}`)
  names.add(name)
}

/** All connections. */
export const siteStream = defineStream('all')
/** All connections of one user. */
export const userStream = defineStreamFamily<UserId>('user')
