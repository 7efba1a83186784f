import type { Stream, StreamFamily } from '../database/events/streams.ts'
import type { Connection } from './connection.ts'
import type { Publisher } from './publisher.ts'

interface WatchOptions {
  /** How many streams of the family a connection watches; one more ends the longest watched. */
  max: number
  /** The cursor of the connection's snapshot. */
  knownSeq: number
}

/** Subscribes a connection to a stream of a family on its own request, up to a bound. */
export function watchStream<Id extends number>(
  publisher: Publisher,
  connection: Connection,
  { family, id }: { family: StreamFamily<Id>; id: Id },
  { max, knownSeq }: WatchOptions,
): void {
  // Watched again, it is the latest.
  publisher.unsubscribe(connection, family(id))
  const [oldest, ...others] = watchedStreams(connection, family)
  if (oldest && others.length + 1 >= max) publisher.unsubscribe(connection, oldest)
  publisher.subscribe(connection, family(id), knownSeq)
}

/** The streams of a family that the connection is subscribed to, the oldest subscription first. */
export function watchedStreams<Id extends number>(connection: Connection, family: StreamFamily<Id>): Stream[] {
  return [...connection.streams].filter((stream) => family.idOf(stream) !== null)
}
