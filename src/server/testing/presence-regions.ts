import { person } from '../../shared/accounts/testing/person.ts'
import type { EventName } from '../../shared/protocol/catalogue.ts'
import { Kind, type Payload } from '../../shared/protocol/frame.ts'
import { Connection } from '../live/connection.ts'
import { DuplicateConnections } from '../live/duplicates.ts'
import { Publisher } from '../live/publish.ts'
import { NO_BLOCKS } from '../live/visibility.ts'
import { Presence } from '../presence/presence.ts'
import { type TestBuses, testBuses } from './bus-pair.ts'
import { type TestLine, testLine } from './socket-pair.ts'

/** Somebody's tab at a region of the test. */
export interface TestTab {
  connection: Connection
  line: TestLine
  /** The payloads of this name that came so far, in order. */
  heard(name: EventName): Payload[]
  joinRoom(roomId: number, resumed?: boolean): void
  /** The network ends the line. */
  cut(): void
  pong(): void
}

export interface Arrival {
  tabId?: string
  isRootAdmin?: boolean
  roomId?: number
  /** What they hear is thrown away unread: there are thousands of them. */
  isDeaf?: boolean
}

export interface TestRegion {
  presence: Presence
  duplicates: DuplicateConnections
  publisher: Publisher
  /** Somebody arrives; their name is `kişi<id>`. */
  arrive(userId: number, more?: Arrival): TestTab
}

export interface TestRegions {
  buses: TestBuses
  of(region: string): TestRegion
}

/** Regions with nothing but who is here in them, on one bus, all joined unless the test says which. */
export function testRegions(names: string[], joined: string[] = names): TestRegions {
  const buses = testBuses(names)
  const regions = new Map(names.map((name) => [name, testRegion(buses, name)]))
  for (const name of joined) buses.join(name)
  return {
    buses,
    of: (name) => {
      const region = regions.get(name)
      if (!region) throw new Error(`the test has no region ${name}`)
      return region
    },
  }
}

function testRegion(buses: TestBuses, name: string): TestRegion {
  const publisher = new Publisher(0)
  const bus = buses.of(name)
  const presence = new Presence(publisher, Date.now, bus)
  const duplicates = new DuplicateConnections({ presence, publisher, clock: Date.now }, bus)
  const region = { presence, duplicates, publisher }
  return { ...region, arrive: (userId, more = {}) => arrive(region, userId, more) }
}

function arrive(
  { presence, duplicates, publisher }: Omit<TestRegion, 'arrive'>,
  userId: number,
  { tabId, isRootAdmin = false, roomId, isDeaf = false }: Arrival,
): TestTab {
  const line = testLine(() => setTimeout(cut))
  if (isDeaf) line.send = () => {}
  const connection = new Connection(line, 1)
  const role = isRootAdmin ? 'rootadmin' : 'guest'
  const who = person(userId, `kişi${userId}`, { role })
  connection.identity = {
    viewer: { userId, sessionId: userId, role, blockedIds: NO_BLOCKS },
    person: who,
    browserId: 'b',
    tabId: tabId ?? null,
  }
  // What hello, joinRoom and lines.ts do.
  for (const stream of ['all', isRootAdmin ? 'admins' : 'visitors']) publisher.subscribe(connection, stream, 0)
  presence.addConnection(connection)
  duplicates.checkNewConnection(connection)
  const joinRoom = (id: number, resumed = false) => {
    if (connection.roomId !== null) publisher.unsubscribe(connection, `room:${connection.roomId}`)
    publisher.subscribe(connection, `room:${id}`, 0)
    presence.enterRoom(connection, id, resumed)
  }
  function cut(): void {
    connection.closed = true
    publisher.unsubscribeAll(connection)
    presence.removeConnection(connection, 'broken')
    duplicates.notifyIfAlone(userId)
  }
  if (roomId !== undefined) joinRoom(roomId)
  return {
    connection,
    line,
    heard: (name) =>
      line.received.flatMap((value) => (value[0] === Kind.ephemeral && value[1] === name ? [value[2]] : [])),
    joinRoom,
    cut,
    pong: () => connection.pong(),
  }
}
