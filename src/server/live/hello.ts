import type { CommandInput } from '../../shared/protocol/catalogue.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../shared/protocol/version.ts'
import { SNAPSHOT_LIMIT } from '../../shared/rooms/limits.ts'
import { sessionById, toPerson, userById } from '../accounts/queries.ts'
import { authenticate } from '../accounts/tokens/authenticate.ts'
import type { AppContext } from '../app-context.ts'
import { eventsSince } from '../database/events.ts'
import type { Reader } from '../database/read.ts'
import { siteStream, userStream } from '../database/streams.ts'
import type { Actor } from '../database/transact.ts'
import { viewerOf } from '../relations/queries.ts'
import type { Connection } from './connection.ts'
import { AnswerThen, type Handler } from './handler.ts'
import { collectHelloParts, isObsoleteEvent } from './live-hook-registry.ts'
import { OutboundEvent } from './outbound-event.ts'

type HelloInput = CommandInput<'hello'> & { browserId: string }

/** Opens a connection: who it is, its streams, and the events that it missed. What features add comes from their hooks. */
export const hello: Handler<'hello'> = async (context, connection, input) => {
  const { browserId, tabId = null } = input
  if (input.protocol !== PROTOCOL_MAJOR) return refuse('ProtocolOutdated')
  if (!browserId) return refuse('BrowserIdMissing')
  const actor = await authenticate(context, input.token)
  if (actor instanceof Refusal) return actor
  // A client that comes from a region ahead of this one has a cursor that this one has yet to reach.
  if (input.cursor !== undefined && input.cursor > context.publisher.cursor())
    await context.replicationStatus.waitUntilFresh()
  if (connection.isClosed) return refuse('NotSignedIn')

  const cursor = mayResume(context, actor, input) ? input.cursor : undefined
  const found = context.reader.snapshot((reader) =>
    readHandshake(context, connection, reader, actor, { ...input, browserId, cursor }),
  )
  if (found instanceof Refusal) return found
  const { person, viewer, missed, parts } = found
  connection.open({ viewer, person, browserId, tabId }, context.clock())
  for (const stream of found.streams) context.publisher.subscribe(connection, stream, found.cursor)
  for (const part of parts) part.afterOpen?.()
  context.duplicates.checkNewConnection(connection)

  const resumed = missed !== null
  const answer = { user: person, cursor: found.cursor, resumed, serverTime: context.clock() }
  if (resumed) for (const part of parts) Object.assign(answer, part.resumedAnswer)
  return new AnswerThen(answer, () => {
    for (const event of missed ?? []) {
      const encoded = new OutboundEvent(event).encodedFor(viewer)
      if (encoded) context.publisher.enqueue(connection, encoded.value)
    }
    for (const part of parts) part.afterAnswer?.(resumed)
  })
}

/** Somebody who resumes too often starts over: a page costs no more than other people's pages. */
function mayResume(
  { personLimiters, clock }: AppContext,
  { userId }: Actor,
  { cursor }: CommandInput<'hello'>,
): boolean {
  return cursor !== undefined && personLimiters.consume(SNAPSHOT_LIMIT, userId, clock()) === 0
}

/** Reads in one snapshot who it is, what features add, the cursor, and the events missed up to it. */
function readHandshake(context: AppContext, connection: Connection, reader: Reader, actor: Actor, input: HelloInput) {
  const user = reader.get(userById, { id: actor.userId })
  const session = reader.get(sessionById, { id: actor.sessionId })
  if (!user || !session) return refuse('SessionEnded')
  const parts = collectHelloParts({ context, connection, reader, actor, user, session, input })
  if (parts instanceof Refusal) return parts
  const own = [siteStream, userStream(user.id), ...parts.flatMap((part) => part.streams ?? [])]
  const all = [...own, ...parts.flatMap((part) => part.resumedStreams ?? [])]
  const events = input.cursor === undefined ? null : eventsSince(reader, input.cursor, all)
  const person = toPerson(user, true, context.clock())
  return {
    person,
    viewer: viewerOf(reader, { ...actor, role: person.role }),
    cursor: reader.cursor(),
    missed: events?.filter((event) => !isObsoleteEvent(reader, event)) ?? null,
    streams: events ? all : own,
    parts,
  }
}
