import type { CommandInput } from '../../shared/protocol/catalogue.ts'
import { Refusal, refusals, refuse } from '../../shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../shared/protocol/version.ts'
import { authenticate } from '../accounts/authenticate.ts'
import { sessionById, toPerson, userById } from '../accounts/queries.ts'
import { isToBeNoted } from '../accounts/touch-session.ts'
import { eventsSince, type LoggedEvent } from '../database/events.ts'
import type { Reader } from '../database/read.ts'
import type { Actor } from '../database/transact.ts'
import { bannedRefusal, isClosedTo, isNoted, marksOf } from '../moderation/access.ts'
import { doorOfGuest, getBanOnMarks, type Marks } from '../moderation/queries.ts'
import { crowdOf } from '../presence/presence.ts'
import { viewerOf } from '../relations/queries.ts'
import { isOfGoneMessage } from '../room-chat/queries.ts'
import { enterableRoom } from '../rooms/access.ts'
import type { World } from '../world.ts'
import { Followed, type Handler } from './outcome.ts'
import { encodeMoment } from './publish.ts'
import { Told } from './told.ts'

type Hello = CommandInput<'hello'>

/** Opens a connection: who it is, what it hears from now on, and what it missed. */
export const hello: Handler<'hello'> = async (world, connection, input) => {
  if (input.protocol !== PROTOCOL_MAJOR) return refuse('ProtocolOutdated')
  if (!input.browserId) return refuse('BrowserIdMissing')
  const actor = await authenticate(world, input.token)
  if (actor instanceof Refusal) return actor
  // Who comes from a region that is ahead of this one has seen more than there is here yet.
  if (input.cursor !== undefined && input.cursor > world.publisher.cursor()) await world.footing.isFresh()
  if (connection.closed) return refuse('NotSignedIn')

  // Whoever resumes too often starts over: a page costs no more than others' pages do.
  const mayResume = input.cursor !== undefined && world.snapshots.take(String(actor.userId), world.clock()) === 0
  const from = mayResume ? input.cursor : undefined
  const marks = marksOf(world, input.browserId, connection.address)
  const found = world.read.snapshot((reader) => look(world, reader, actor, marks, { ...input, cursor: from }))
  if (found instanceof Refusal) return found
  const { person, viewer, cursor, missed, streams, roomId, isNewDoor, isUnnoted } = found
  if (isNewDoor) void world.execute('noteDoor', actor, marks)
  if (isUnnoted) void world.execute('touchSession', actor, {})
  connection.identity = { viewer, person, browserId: input.browserId, tabId: input.tabId ?? null }
  for (const stream of streams) world.publisher.subscribe(connection, stream, cursor)
  world.presence.arrive(connection)
  world.duplicates.meet(connection)

  const resumed = missed !== null
  const answer = { user: person, cursor, resumed, serverTime: world.clock(), ...(resumed && roomId && { roomId }) }
  return new Followed(answer, () => {
    for (const event of missed ?? []) {
      const form = new Told(event).formFor(viewer)
      if (form) world.publisher.push(connection, form.value)
    }
    if (missed && roomId !== null) world.presence.enterRoom(connection, roomId, true)
    if (isClosedTo(world, person.role)) {
      const { message } = refusals.Maintenance
      world.publisher.push(connection, encodeMoment('serverMaintenance', { isOn: true, message }))
    }
  })
}

/** One consistent look: the person, the cursor, and what was missed up to it. */
function look(world: World, reader: Reader, actor: Actor, marks: Marks, input: Hello) {
  const user = reader.get(userById, { id: actor.userId })
  const session = reader.get(sessionById, { id: actor.sessionId })
  if (!user || !session) return refuse('SessionEnded')
  const isGuest = user.isGuest === 1
  const ban = isGuest && getBanOnMarks(reader, marks, session.createdAt, world.clock())
  if (ban) return bannedRefusal(ban)
  const person = toPerson(user, true, world.clock())
  const own = ['all', `user:${user.id}`, crowdOf(user.role)]
  const room = input.roomId === undefined ? null : enterableRoom(world, reader, actor, input.roomId)
  const roomId = room === null || room instanceof Refusal ? null : room.id
  const all = roomId === null ? own : [...own, `room:${roomId}`]
  const missed: LoggedEvent[] | null = input.cursor === undefined ? null : eventsSince(reader, input.cursor, all)
  const stands = missed?.filter((event) => !isOfGoneMessage(reader, event)) ?? null
  const isNewDoor = isGuest && !isNoted(reader.get(doorOfGuest, { userId: user.id }), marks, world.clock())
  const isUnnoted = isToBeNoted(session, world.clock())
  const viewer = viewerOf(reader, { ...actor, role: person.role })
  const self = { person, viewer, cursor: reader.cursor() }
  return { ...self, missed: stands, streams: missed ? all : own, roomId, isNewDoor, isUnnoted }
}
