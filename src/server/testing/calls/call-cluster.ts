import pino from 'pino'
import type { CommandAnswer, CommandInput, CommandName, EventName } from '../../../shared/protocol/catalogue.ts'
import { encode, Kind } from '../../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import type { CallOutcome } from '../../features/calls/call-host.ts'
import { CallService } from '../../features/calls/call-service.ts'
import { endCallsWithAccess } from '../../features/calls/end-calls.ts'
import { requestCall, signalHandlers } from '../../features/calls/live-handlers.ts'
import type { MissedCall } from '../../features/calls/record-missed-call.ts'
import { rewriteDescription } from '../../features/calls/sdp.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import { PersonLimiters } from '../../kernel/limits/person-limiters.ts'
import type { OpenConnection } from '../../kernel/live/connection.ts'
import { receiveFrame } from '../../kernel/live/dispatch.ts'
import { Publisher } from '../../kernel/live/publisher.ts'
import { createMetrics } from '../../kernel/operations/metrics.ts'
import { DuplicateConnections } from '../../kernel/presence/duplicate-connections.ts'
import { Presence } from '../../kernel/presence/presence.ts'
import { findUserByName, toPerson } from '../../model/accounts/queries.ts'
import { createFakeTransport } from '../fixtures/fake-transport.ts'
import { openTestConnection } from '../fixtures/test-connection.ts'
import type { TestDatabase } from '../fixtures/test-database.ts'
import { createFakePeerBuses, type FakePeerBuses } from '../links/fake-peer-bus.ts'
import { createFakeRelay, type FakeRelay } from './fake-relay.ts'

type Payload = Record<string, unknown>

/** One tab of a user, connected to one region. */
export interface CallTab {
  connection: OpenConnection
  userId: number
  username: string
  /** Names of received events and answered commands, in order. */
  log: string[]
  request<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandAnswer<N> | RefusalBody>
  /** Payloads of received events of this name. */
  received(name: EventName): Payload[]
  /** Whether it answers pings; a dead connection does not. */
  answersPings: boolean
  /** The network ends the connection. */
  disconnect(): void
}

export interface CallRegion {
  calls: CallService
  relay: FakeRelay
  publisher: Publisher
  duplicates: DuplicateConnections
  outcomes: CallOutcome[]
  missed: MissedCall[]
  /** Connects a user, who is in the database. */
  connect(username: string, options?: { tabId?: string; sessionId?: number; address?: string }): CallTab
  close(): void
}

export interface CallCluster {
  buses: FakePeerBuses
  region(name: string): CallRegion
  regions: CallRegion[]
  close(): void
}

/** Regions with calls on one bus and one database, without replication lag. The test fakes the timers. */
export function createCallCluster(database: TestDatabase, names: string[], limitScale = 1_000): CallCluster {
  const buses = createFakePeerBuses(names)
  const byName = new Map(names.map((name) => [name, createRegion(database, buses, name, limitScale)]))
  for (const name of names) buses.connect(name)
  return {
    buses,
    regions: [...byName.values()],
    region: (name) => {
      const region = byName.get(name)
      if (!region) throw new Error(`the test has no region ${name}`)
      return region
    },
    close: () => {
      for (const region of byName.values()) region.close()
    },
  }
}

function createRegion(database: TestDatabase, buses: FakePeerBuses, name: string, limitScale: number): CallRegion {
  const publisher = new Publisher(0)
  const bus = buses.busOf(name)
  const presence = new Presence(publisher, () => performance.now(), bus)
  const duplicates = new DuplicateConnections({ presence, publisher, clock: Date.now }, bus)
  const region = {
    relay: createFakeRelay(),
    publisher,
    duplicates,
    outcomes: [] as CallOutcome[],
    missed: [] as MissedCall[],
  }
  const execute = async (_write: object, _actor: unknown, input: unknown) => {
    region.missed.push(input as MissedCall) // the only command of this feature
    return { success: true }
  }
  const appContext = {
    ...{ publisher, presence, duplicates, execute, reader: database.read, metrics: createMetrics() },
    ...{ log: pino({ enabled: false }), clock: Date.now, monotonicNow: () => performance.now() },
    personLimiters: new PersonLimiters(limitScale),
    config: { limitScale },
    isStopping: () => false,
    handlers: () => handlers,
    service: () => ({ isClosedTo: () => false }),
  } as unknown as AppContext // what dispatch and this feature use
  const onEnded = (outcome: CallOutcome) => void region.outcomes.push(outcome)
  const calls = new CallService(appContext, bus, { relay: region.relay, rewriteDescription, onEnded })
  endCallsWithAccess(appContext, calls.host)
  const handlers = { dmVoiceCallRequest: requestCall(calls), ...signalHandlers(calls) }
  return {
    ...{ ...region, calls },
    connect: (username, options = {}) => connectTab(database, appContext, calls, username, options),
    close: () => {
      calls.close()
      presence.close()
    },
  }
}

function connectTab(
  { read }: TestDatabase,
  appContext: AppContext,
  calls: CallService,
  username: string,
  { tabId, sessionId, address }: { tabId?: string; sessionId?: number; address?: string },
): CallTab {
  const row = findUserByName(read, username)
  if (!row) throw new Error(`the test has no user ${username}`)
  const transport = createFakeTransport(() => queueMicrotask(disconnect))
  const person = toPerson(row, true, Date.now())
  const connection = openTestConnection(transport, { person, tabId: tabId ?? null, sessionId: sessionId ?? row.id })
  Object.assign(connection, { address: address ?? null })
  // The same steps as hello and connections.ts.
  appContext.publisher.subscribe(connection, userStream(row.id), 0)
  appContext.presence.addConnection(connection)
  appContext.duplicates.checkNewConnection(connection)
  calls.announceConnection(connection)
  function disconnect(): void {
    connection.markClosed(null)
    appContext.publisher.unsubscribeAll(connection)
    appContext.presence.removeConnection(connection, 'disconnected')
  }
  let lastId = 0
  const tab: CallTab = {
    ...{ connection, userId: row.id, username, answersPings: true, disconnect },
    get log() {
      return transport.received.flatMap((value) => (value[0] === Kind.ephemeral ? [value[1]] : [`answer ${value[1]}`]))
    },
    request: async (name, input) => {
      const id = ++lastId
      receiveFrame(appContext, connection, encode([Kind.request, id, name, input]))
      const reply = await transport.waitForValue(
        ([kind, requestId]) => (kind === Kind.answer || kind === Kind.refusal) && requestId === id,
      )
      return reply[2] as never // the answer's type follows from the command's name
    },
    received: (name) =>
      transport.received.flatMap((value) => (value[0] === Kind.ephemeral && value[1] === name ? [value[2]] : [])),
  }
  transport.ping = () => {
    if (tab.answersPings) queueMicrotask(() => connection.pong())
  }
  return tab
}
