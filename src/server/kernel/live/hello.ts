import type { CommandInput } from '../../../shared/protocol/catalogue.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../../shared/protocol/version.ts'
import { SNAPSHOT_LIMIT } from '../../../shared/rooms/limits.ts'
import type { AppContext } from '../app-context.ts'
import { eventsSince } from '../database/events/events.ts'
import type { LoggedEvent } from '../database/events/logged-event.ts'
import { siteStream, userStream } from '../database/events/streams.ts'
import type { Reader } from '../database/read.ts'
import type { Actor } from '../database/transaction.ts'
import { authentication } from '../http/authentication.ts'
import type { Connection } from './connection.ts'
import type { Handshake, HelloPart } from './define-live-hooks.ts'
import { AnswerWithFollowUp, type Handler } from './handler.ts'
import { OutboundEvent } from './outbound-event.ts'
import { canReceive, NO_BLOCKS, type Viewer } from './visibility.ts'

type HelloInput = CommandInput<'hello'> & { browserId: string }

/** Opens a connection: authenticates, subscribes and replays missed events. Features add to it by their live hooks. */
export const hello: Handler<'hello'> = async (appContext, connection, input) => {
  const { browserId, tabId = null } = input
  if (input.protocol !== PROTOCOL_MAJOR) return refuse('ProtocolOutdated')
  if (!browserId) return refuse('BrowserIdMissing')
  const actor = await appContext.service(authentication).authenticate(input.token)
  if (actor instanceof Refusal) return actor
  // A client that moves here from a region further ahead has a cursor that this region has not reached yet.
  if (input.cursor !== undefined && input.cursor > appContext.publisher.cursor())
    await appContext.replicationStatus.waitUntilFresh()
  if (connection.isClosed) return refuse('NotSignedIn')

  const cursor = mayResume(appContext, actor, input) ? input.cursor : undefined
  const found = appContext.reader.snapshot((reader) =>
    readHandshake(appContext, connection, reader, actor, { ...input, browserId, cursor }),
  )
  if (found instanceof Refusal) return found
  const { person, viewer, missed, parts } = found
  connection.open({ viewer, person, browserId, tabId }, appContext.clock())
  for (const stream of found.streams) appContext.publisher.subscribe(connection, stream, found.cursor)
  for (const part of parts) part.afterOpen?.()
  appContext.duplicates.checkNewConnection(connection)

  const resumed = missed !== null
  const answer = { user: person, cursor: found.cursor, resumed, serverTime: appContext.clock() }
  if (resumed) for (const part of parts) Object.assign(answer, part.resumedAnswer)
  return new AnswerWithFollowUp(answer, () => {
    for (const event of missed ?? []) {
      const encoded = new OutboundEvent(event).encodedFor(viewer)
      if (encoded) appContext.publisher.enqueue(connection, encoded.value)
    }
    for (const part of parts) part.afterAnswer?.(resumed)
  })
}

/** Whether the events since the cursor may be replayed; after too many resumes the client starts over. */
function mayResume(
  { personLimiters, clock }: AppContext,
  { userId }: Actor,
  { cursor }: CommandInput<'hello'>,
): boolean {
  return cursor !== undefined && personLimiters.consume(SNAPSHOT_LIMIT, userId, clock()) === 0
}

/** Reads the user, the features' parts, the cursor and the missed events in one snapshot. */
function readHandshake(
  appContext: AppContext,
  connection: Connection,
  reader: Reader,
  actor: Actor,
  input: HelloInput,
) {
  const found = appContext.service(authentication).findSessionUser(reader, actor)
  if (!found) return refuse('SessionEnded')
  const { user, session, person } = found
  const parts = collectParts({ context: appContext, connection, reader, actor, user, session, input })
  if (parts instanceof Refusal) return parts
  const own = [siteStream, userStream(user.id), ...parts.flatMap((part) => part.streams ?? [])]
  const all = [...own, ...parts.flatMap((part) => part.resumedStreams ?? [])]
  const now = appContext.clock()
  const hooks = appContext.liveHooks()
  const blockedIds = parts.find((part) => part.blockedIds)?.blockedIds ?? NO_BLOCKS
  const viewer: Viewer = { ...actor, role: person.role, isGhost: user.isGhost === 1, blockedIds }
  const { recentEvents } = appContext.publisher
  const isReceived = (event: LoggedEvent) => canReceive(viewer, event)
  const events = input.cursor === undefined ? null : eventsSince(reader, input.cursor, all, recentEvents, isReceived)
  return {
    person,
    viewer,
    cursor: reader.cursor(),
    missed: events?.filter((event) => !hooks.some(({ isObsolete }) => isObsolete?.(reader, event, now))) ?? null,
    streams: events ? all : own,
    parts,
  }
}

/** The hello parts of all features, or the first refusal. */
function collectParts(handshake: Handshake): HelloPart[] | Refusal {
  const parts: HelloPart[] = []
  for (const { onHello } of handshake.context.liveHooks()) {
    const part = onHello?.(handshake) ?? {}
    if (part instanceof Refusal) return part
    parts.push(part)
  }
  return parts
}
