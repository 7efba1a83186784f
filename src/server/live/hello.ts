import type { CommandInput } from '../../shared/protocol/catalogue.ts'
import { Refusal, refusals, refuse } from '../../shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../shared/protocol/version.ts'
import { SNAPSHOT_LIMIT } from '../../shared/rooms/limits.ts'
import { sessionById, toPerson, userById } from '../accounts/queries.ts'
import { needsTouch, touchSession } from '../accounts/sessions/touch-session.ts'
import { authenticate } from '../accounts/tokens/authenticate.ts'
import type { AppContext } from '../app-context.ts'
import { eventsSince, type LoggedEvent } from '../database/events.ts'
import type { Reader } from '../database/read.ts'
import { siteStream, userStream } from '../database/streams.ts'
import type { Actor } from '../database/transact.ts'
import { fingerprintOf, isFingerprintCurrent, isInMaintenanceFor, toBanRefusal } from '../moderation/access.ts'
import { touchFingerprint } from '../moderation/guest-fingerprint.ts'
import { fingerprintOfGuest, type GuestFingerprint, getActiveBanOfFingerprint } from '../moderation/queries.ts'
import { presenceStreamFor } from '../presence/streams.ts'
import { viewerOf } from '../relations/queries.ts'
import { isAboutRemovedMessage } from '../room-chat/queries.ts'
import { findEnterableRoom } from '../rooms/access.ts'
import { roomStream } from '../rooms/streams.ts'
import { AnswerThen, type Handler } from './handler.ts'
import { OutboundEvent } from './outbound-event.ts'
import { encodeEphemeral } from './publisher.ts'

type HelloInput = CommandInput<'hello'>

/** Opens a connection: who it is, what it hears from now on, and what it missed. */
export const hello: Handler<'hello'> = async (world, connection, input) => {
  if (input.protocol !== PROTOCOL_MAJOR) return refuse('ProtocolOutdated')
  if (!input.browserId) return refuse('BrowserIdMissing')
  const actor = await authenticate(world, input.token)
  if (actor instanceof Refusal) return actor
  // Who comes from a region that is ahead of this one has seen more than there is here yet.
  if (input.cursor !== undefined && input.cursor > world.publisher.cursor())
    await world.replicationStatus.waitUntilFresh()
  if (connection.isClosed) return refuse('NotSignedIn')

  // Whoever resumes too often starts over: a page costs no more than others' pages do.
  const mayResume =
    input.cursor !== undefined && world.personLimiters.consume(SNAPSHOT_LIMIT, actor.userId, world.clock()) === 0
  const from = mayResume ? input.cursor : undefined
  const fingerprint = fingerprintOf(world, input.browserId, connection.address)
  const found = world.reader.snapshot((reader) =>
    readHandshake(world, reader, actor, fingerprint, { ...input, cursor: from }),
  )
  if (found instanceof Refusal) return found
  const { person, viewer, cursor, missed, streams, roomId, isNewFingerprint, isTouchDue } = found
  if (isNewFingerprint) void world.execute(touchFingerprint, actor, fingerprint)
  if (isTouchDue) void world.execute(touchSession, actor, {})
  connection.open({ viewer, person, browserId: input.browserId, tabId: input.tabId ?? null }, world.clock())
  for (const stream of streams) world.publisher.subscribe(connection, stream, cursor)
  world.presence.addConnection(connection)
  world.duplicates.checkNewConnection(connection)

  const resumed = missed !== null
  const answer = { user: person, cursor, resumed, serverTime: world.clock(), ...(resumed && roomId && { roomId }) }
  return new AnswerThen(answer, () => {
    for (const event of missed ?? []) {
      const form = new OutboundEvent(event).encodedFor(viewer)
      if (form) world.publisher.enqueue(connection, form.value)
    }
    if (missed && roomId !== null) world.presence.enterRoom(connection, roomId, true)
    if (isInMaintenanceFor(world, person.role)) {
      const { message } = refusals.Maintenance
      world.publisher.enqueue(connection, encodeEphemeral('serverMaintenance', { isOn: true, message }))
    }
  })
}

/** One consistent look: the person, the cursor, and what was missed up to it. */
function readHandshake(
  world: AppContext,
  reader: Reader,
  actor: Actor,
  fingerprint: GuestFingerprint,
  input: HelloInput,
) {
  const user = reader.get(userById, { id: actor.userId })
  const session = reader.get(sessionById, { id: actor.sessionId })
  if (!user || !session) return refuse('SessionEnded')
  const isGuest = user.isGuest === 1
  const ban = isGuest && getActiveBanOfFingerprint(reader, fingerprint, session.createdAt, world.clock())
  if (ban) return toBanRefusal(ban)
  const person = toPerson(user, true, world.clock())
  const own = [siteStream, userStream(user.id), presenceStreamFor(user.role)]
  const room = input.roomId === undefined ? null : findEnterableRoom(world, reader, actor, input.roomId)
  const roomId = room === null || room instanceof Refusal ? null : room.id
  const all = roomId === null ? own : [...own, roomStream(roomId)]
  const missed: LoggedEvent[] | null = input.cursor === undefined ? null : eventsSince(reader, input.cursor, all)
  const stands = missed?.filter((event) => !isAboutRemovedMessage(reader, event)) ?? null
  const isNewFingerprint =
    isGuest && !isFingerprintCurrent(reader.get(fingerprintOfGuest, { userId: user.id }), fingerprint, world.clock())
  const isTouchDue = needsTouch(session, world.clock())
  const viewer = viewerOf(reader, { ...actor, role: person.role })
  const self = { person, viewer, cursor: reader.cursor() }
  return { ...self, missed: stands, streams: missed ? all : own, roomId, isNewFingerprint, isTouchDue }
}
