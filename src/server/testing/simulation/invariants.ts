import type Sqlite from 'better-sqlite3'
import { roomStream } from '../../kernel/presence/streams.ts'
import type { SimulatedClient } from './simulated-client.ts'
import { SIMULATED_ROOM_ID, type SimulatedCluster } from './simulated-cluster.ts'

interface MessageRow {
  id: number
  clientId: string
  senderId: number
}

/** Describes every violated invariant of a settled cluster; empty when all hold. */
export function findViolations(cluster: SimulatedCluster): string[] {
  const lost = lostStatements(cluster)
  const isLost = (clientId: string) => lost.some((sql) => sql.includes(`'${clientId}'`))
  const rows = readMessages(cluster)
  const isOutnumbered = (clientId: string) => highestLostSeq(cluster) > findSeq(cluster, clientId)
  return [
    ...findReplicaDifferences(cluster),
    ...findDuplicates(rows),
    ...findEventCountMismatch(cluster, rows),
    ...cluster.clients.flatMap((client) => [
      ...findLostAnsweredMessages(client, rows, isLost),
      ...findOrderViolations(client, rows, isLost),
      ...findViewMismatches(client, rows),
      ...client.violations
        .filter(
          ({ kind, clientId }) =>
            !clientId || !(isLost(clientId) || (kind === 'answeredTooEarly' && isOutnumbered(clientId))),
        )
        .map(({ description }) => description),
    ]),
    ...findPresenceMismatches(cluster),
  ]
}

/** Counts events that were committed and then lost with a primary. */
export function countLostEvents(cluster: SimulatedCluster): number {
  return lostSeqs(cluster).length
}

function lostSeqs(cluster: SimulatedCluster): number[] {
  const seqOfEvent = /^insert or replace into "event" values \((\d+),/
  return lostStatements(cluster).flatMap((sql) => {
    const seq = seqOfEvent.exec(sql)?.[1]
    return seq === undefined ? [] : [Number(seq)]
  })
}

/**
 * A term that begins on a slow clock may have lower numbers than a lost term. Until LiteFS replaces its file, a region
 * with the lost term then seems ahead, and its answers come too early.
 */
function highestLostSeq(cluster: SimulatedCluster): number {
  return cluster.options.maxClockSkewMs > 0 ? Math.max(0, ...lostSeqs(cluster)) : 0
}

function findSeq(cluster: SimulatedCluster, clientId: string): number {
  const [name = ''] = cluster.regions
  const sql = 'select max(seq) from event where instr(payload, cast(? as blob)) > 0'
  return readDatabase(cluster, name, (db) => Number(db.prepare(sql).pluck().get(clientId) ?? 0))
}

/** Counts answered messages that were lost with a primary. */
export function countLostAnswers(cluster: SimulatedCluster): number {
  const lost = lostStatements(cluster)
  const storedIds = new Set(readMessages(cluster).map(({ clientId }) => clientId))
  return cluster.clients
    .flatMap(({ answered }) => [...answered.keys()])
    .filter((clientId) => !storedIds.has(clientId) && lost.some((sql) => sql.includes(`'${clientId}'`))).length
}

function lostStatements(cluster: SimulatedCluster): string[] {
  return [...cluster.litefs.lostCommits].flatMap(({ change }) => (Array.isArray(change) ? change : []))
}

function readMessages(cluster: SimulatedCluster): MessageRow[] {
  const [name = ''] = cluster.regions
  const sql = 'select id, clientId, senderId from message where roomId = ? order by id'
  return readDatabase(cluster, name, (db) => db.prepare(sql).all(SIMULATED_ROOM_ID) as MessageRow[]) // as selected
}

/** Every region must have the same rows. */
function findReplicaDifferences(cluster: SimulatedCluster): string[] {
  const [first = '', ...others] = cluster.regions.map((name) => readDatabase(cluster, name, dumpTables))
  return others.flatMap((other, index) =>
    other === first ? [] : [`${cluster.regions[index + 1]} has other rows than ${cluster.regions[0]}`],
  )
}

function dumpTables(db: Sqlite.Database): string {
  const listTables =
    "select name from pragma_table_list where schema = 'main' and type = 'table' and name <> 'sqlite_schema' order by name"
  const tables = db.prepare(listTables).pluck().all()
  // Without the order in which a region has created its tables and triggers.
  const schema = db.prepare('select type, name, sql from sqlite_schema order by type, name').raw().all()
  return JSON.stringify([schema, ...tables.map((table) => [table, db.prepare(`select * from "${table}"`).raw().all()])])
}

function findDuplicates(rows: MessageRow[]): string[] {
  const seen = new Set<string>()
  return rows.flatMap(({ clientId }) => {
    const isSecond = seen.has(clientId)
    seen.add(clientId)
    return isSecond ? [`${clientId} is stored twice`] : []
  })
}

/** The log must have one event per message. */
function findEventCountMismatch(cluster: SimulatedCluster, rows: MessageRow[]): string[] {
  const [name = ''] = cluster.regions
  const sql = "select count(*) from event where stream = ? and name = 'message'"
  const eventCount = readDatabase(cluster, name, (db) =>
    Number(db.prepare(sql).pluck().get(roomStream(SIMULATED_ROOM_ID))),
  )
  return eventCount === rows.length ? [] : [`${eventCount} events for ${rows.length} messages`]
}

/** Every answered message must be stored under the id of its answer, unless it was lost with a primary. */
function findLostAnsweredMessages(
  { answered }: SimulatedClient,
  rows: MessageRow[],
  isLost: (clientId: string) => boolean,
): string[] {
  const ids = new Map(rows.map(({ clientId, id }) => [clientId, id]))
  return [...answered].flatMap(([clientId, id]) => {
    if (ids.get(clientId) === id || isLost(clientId)) return []
    return [`${clientId} was answered with id ${id}, but its stored id is ${ids.get(clientId) ?? 'missing'}`]
  })
}

/** The messages of one user must be stored in the order in which they were sent. */
function findOrderViolations(
  { answered }: SimulatedClient,
  rows: MessageRow[],
  isLost: (clientId: string) => boolean,
): string[] {
  const sentIds = [...answered.keys()].filter((clientId) => !isLost(clientId))
  const rowIndexes = new Map(rows.map(({ clientId }, index) => [clientId, index]))
  return sentIds.flatMap((clientId, index) => {
    const previous = sentIds[index - 1]
    if (previous === undefined || (rowIndexes.get(previous) ?? 0) < (rowIndexes.get(clientId) ?? 0)) return []
    return [`${clientId} is stored before ${previous}`]
  })
}

/** From its oldest shown message on, a client must show all stored messages and no other, also no lost ones. */
function findViewMismatches(client: SimulatedClient, rows: MessageRow[]): string[] {
  const { person } = client
  const { messagesByClientId } = client.view
  const storedIds = new Set(rows.map(({ clientId }) => clientId))
  const firstShown = rows.findIndex(({ clientId }) => messagesByClientId.has(clientId))
  const missing = rows
    .slice(firstShown === -1 ? 0 : firstShown)
    .filter(({ clientId }) => !messagesByClientId.has(clientId))
  return [
    ...missing.map(({ clientId }) => `${person.username} does not show ${clientId}`),
    ...[...messagesByClientId.keys()]
      .filter((clientId) => !storedIds.has(clientId))
      .map((clientId) => `${person.username} shows ${clientId}, which is not stored`),
  ]
}

/** Every running region must list and count the connected users, and every client must show them. */
export function findPresenceMismatches(cluster: SimulatedCluster): string[] {
  const clients = cluster.clients.filter(({ hasEnded }) => !hasEnded)
  const expected = clients.map(({ person }) => person.userId).sort((a, b) => a - b)
  const compareUsers = (observer: string, ids: Iterable<number>) => {
    const found = [...ids].sort((a, b) => a - b)
    return String(found) === String(expected) ? [] : [`${observer} sees the users ${found} instead of ${expected}`]
  }
  const checkRegion = (name: string) => {
    const presence = cluster.process(name)?.region?.appContext.presence
    if (!presence) return []
    const userIds = presence.listRoom(SIMULATED_ROOM_ID, null).map(({ id }) => id)
    const counts = [presence.onlineCount(null), presence.roomCount(SIMULATED_ROOM_ID, null)].filter(
      (count) => count !== expected.length,
    )
    return [
      ...compareUsers(name, userIds),
      ...counts.map((count) => `${name} counts ${count} users instead of ${expected.length}`),
    ]
  }
  return [
    ...cluster.regions.flatMap(checkRegion),
    ...clients.flatMap(({ view, person }) => compareUsers(person.username, view.usernamesById.keys())),
  ]
}

function readDatabase<T>(cluster: SimulatedCluster, name: string, read: (db: Sqlite.Database) => T): T {
  return cluster.litefs.mountOf(name).file.read(read)
}
