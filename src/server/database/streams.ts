import type { UserId } from '../../shared/protocol/ids.ts'

/** An ordered part of the event log, by its name. Only `defineStream` and `defineStreamFamily` make one. */
export type Stream = string & { readonly [brand]: true }
declare const brand: unique symbol

/** Who on a stream receives an event: its actor alone, or one session. */
export type Audience = 'actor' | `session:${number}`

/** Streams of one kind, one for each row id. */
export interface StreamFamily<Id extends number> {
  (id: Id): Stream
  /** The id of a stream of this family; null for a stream of another one. */
  idOf(stream: Stream): Id | null
}

const names = new Set<string>()

/** Declares a stream that there is once. Throws when its name is taken. */
export function defineStream(name: string): Stream {
  claim(name)
  return name as Stream // the one place that makes it
}

/** Declares a stream for each id: `room:7`. Throws when the family's name is taken. */
export function defineStreamFamily<Id extends number>(name: string): StreamFamily<Id> {
  claim(name)
  const prefix = `${name}:`
  return Object.assign((id: Id) => `${prefix}${id}` as Stream, {
    // Its streams are made with an Id, so what follows the prefix is one.
    idOf: (stream: Stream) => (stream.startsWith(prefix) ? (Number(stream.slice(prefix.length)) as Id) : null),
  })
}

function claim(name: string): void {
  if (names.has(name)) throw new Error(`two features define the stream ${name}`)
  names.add(name)
}

/** Everybody who is connected. */
export const siteStream = defineStream('all')
/** All connections of one person. */
export const userStream = defineStreamFamily<UserId>('user')
