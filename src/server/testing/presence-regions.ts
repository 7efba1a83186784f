import { createPerson } from '../../shared/accounts/testing/person.ts'
import type { EventName } from '../../shared/protocol/catalogue.ts'
import { Kind, type Payload } from '../../shared/protocol/frame.ts'
import { Connection } from '../live/connection.ts'
import { DuplicateConnections } from '../live/duplicates.ts'
import { Publisher } from '../live/publish.ts'
import { NO_BLOCKS } from '../live/visibility.ts'
import { Presence } from '../presence/presence.ts'
import { createFakePeerBuses, type FakePeerBuses } from './bus-pair.ts'
import { createFakeTransport, type FakeTransport } from './socket-pair.ts'

/** Somebody's tab at a region of the test. */
export interface PresenceTab {
  connection: Connection
  transport: FakeTransport
  /** The payloads of this name that came so far, in order. */
  receivedPayloads(name: EventName): Payload[]
  joinRoom(roomId: number, resumed?: boolean): void
  /** The network ends the line. */
  disconnect(): void
  pong(): void
}

export interface TabOptions {
  tabId?: string
  isRootAdmin?: boolean
  roomId?: number
  /** What they hear is thrown away unread: there are thousands of them. */
  ignoresEvents?: boolean
}

export interface PresenceRegion {
  presence: Presence
  duplicates: DuplicateConnections
  publisher: Publisher
  /** Somebody arrives; their name is `kişi<id>`. */
  connectTab(userId: number, more?: TabOptions): PresenceTab
}

export interface PresenceCluster {
  buses: FakePeerBuses
  region(region: string): PresenceRegion
}

/** Regions with nothing but who is here in them, on one bus, all joined unless the test says which. */
export function createPresenceCluster(names: string[], joined: string[] = names): PresenceCluster {
  const buses = createFakePeerBuses(names)
  const regions = new Map(names.map((name) => [name, createPresenceRegion(buses, name)]))
  for (const name of joined) buses.connect(name)
  return {
    buses,
    region: (name) => {
      const region = regions.get(name)
      if (!region) throw new Error(`the test has no region ${name}`)
      return region
    },
  }
}

function createPresenceRegion(buses: FakePeerBuses, name: string): PresenceRegion {
  const publisher = new Publisher(0)
  const bus = buses.busOf(name)
  const presence = new Presence(publisher, Date.now, bus)
  const duplicates = new DuplicateConnections({ presence, publisher, clock: Date.now }, bus)
  const region = { presence, duplicates, publisher }
  return { ...region, connectTab: (userId, more = {}) => connectTab(region, userId, more) }
}

function connectTab(
  { presence, duplicates, publisher }: Omit<PresenceRegion, 'connectTab'>,
  userId: number,
  { tabId, isRootAdmin = false, roomId, ignoresEvents = false }: TabOptions,
): PresenceTab {
  const line = createFakeTransport(() => setTimeout(cut))
  if (ignoresEvents) line.send = () => {}
  const connection = new Connection(line, 1)
  const role = isRootAdmin ? 'rootadmin' : 'guest'
  const who = createPerson(userId, `kişi${userId}`, { role })
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
    transport: line,
    receivedPayloads: (name) =>
      line.received.flatMap((value) => (value[0] === Kind.ephemeral && value[1] === name ? [value[2]] : [])),
    joinRoom,
    disconnect: cut,
    pong: () => connection.pong(),
  }
}
