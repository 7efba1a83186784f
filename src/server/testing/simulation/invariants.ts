import type Sqlite from 'better-sqlite3'
import { roomStream } from '../../rooms/streams.ts'
import type { SimulatedClient } from './simulated-client.ts'
import { SIMULATED_ROOM_ID, type SimulatedCluster } from './simulated-cluster.ts'

interface MessageRow {
  id: number
  clientId: string
  senderId: number
}

/** Everything that is wrong with a site that is at rest, in words; empty when nothing is. */
export function findViolations(site: SimulatedCluster): string[] {
  const lost = lostStatements(site)
  const isLost = (clientId: string) => lost.some((sql) => sql.includes(`'${clientId}'`))
  const rows = readMessages(site)
  const isOutnumbered = (clientId: string) => highestLostSeq(site) > findSeq(site, clientId)
  return [
    ...findReplicaDifferences(site),
    ...findDuplicates(rows),
    ...findEventCountMismatch(site, rows),
    ...site.clients.flatMap((client) => [
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
    ...findPresenceMismatches(site),
  ]
}

/** How many events were committed, and then thrown away somewhere. */
export function countLostEvents(site: SimulatedCluster): number {
  return lostSeqs(site).length
}

function lostSeqs(site: SimulatedCluster): number[] {
  const seqOfEvent = /^insert or replace into "event" values \((\d+),/
  return lostStatements(site).flatMap((sql) => {
    const seq = seqOfEvent.exec(sql)?.[1]
    return seq === undefined ? [] : [Number(seq)]
  })
}

/**
 * A reign that begins on a clock which is behind may have lower numbers than one that was lost. Then a region that still
 * has the lost one takes it, for the moment until LiteFS has replaced it, for having what is newer: answers come early.
 */
function highestLostSeq(site: SimulatedCluster): number {
  return site.options.maxClockSkewMs > 0 ? Math.max(0, ...lostSeqs(site)) : 0
}

function findSeq(site: SimulatedCluster, clientId: string): number {
  const [name = ''] = site.regions
  const sql = 'select max(seq) from event where instr(payload, cast(? as blob)) > 0'
  return readDatabase(site, name, (db) => Number(db.prepare(sql).pluck().get(clientId) ?? 0))
}

/** How many answered messages were lost with a primary. */
export function countLostAnswers(site: SimulatedCluster): number {
  const lost = lostStatements(site)
  const kept = new Set(readMessages(site).map(({ clientId }) => clientId))
  return site.clients
    .flatMap(({ answered }) => [...answered.keys()])
    .filter((clientId) => !kept.has(clientId) && lost.some((sql) => sql.includes(`'${clientId}'`))).length
}

function lostStatements(site: SimulatedCluster): string[] {
  return [...site.litefs.lostCommits].flatMap(({ change }) => (Array.isArray(change) ? change : []))
}

function readMessages(site: SimulatedCluster): MessageRow[] {
  const [name = ''] = site.regions
  const sql = 'select id, clientId, senderId from message where roomId = ? order by id'
  return readDatabase(site, name, (db) => db.prepare(sql).all(SIMULATED_ROOM_ID) as MessageRow[]) // as selected
}

/** Every region holds the same rows. */
function findReplicaDifferences(site: SimulatedCluster): string[] {
  const [first = '', ...others] = site.regions.map((name) => readDatabase(site, name, dumpTables))
  return others.flatMap((other, index) => (other === first ? [] : [`${site.regions[index + 1]} holds other rows`]))
}

function dumpTables(db: Sqlite.Database): string {
  const ordinary = "select name from pragma_table_list where schema = 'main' and type = 'table' order by name"
  const tables = db.prepare(ordinary).pluck().all()
  return JSON.stringify(tables.map((table) => [table, db.prepare(`select * from "${table}"`).raw().all()]))
}

function findDuplicates(rows: MessageRow[]): string[] {
  const seen = new Set<string>()
  return rows.flatMap(({ clientId }) => {
    const isSecond = seen.has(clientId)
    seen.add(clientId)
    return isSecond ? [`${clientId} is there twice`] : []
  })
}

/** Each message is told once, in the order in which it was kept. */
function findEventCountMismatch(site: SimulatedCluster, rows: MessageRow[]): string[] {
  const [name = ''] = site.regions
  const sql = "select count(*) from event where stream = ? and name = 'message'"
  const told = readDatabase(site, name, (db) => Number(db.prepare(sql).pluck().get(roomStream(SIMULATED_ROOM_ID))))
  return told === rows.length ? [] : [`${told} events tell of ${rows.length} messages`]
}

/** What was answered is there, under the id that the answer gave, unless it was lost. */
function findLostAnsweredMessages(
  { answered }: SimulatedClient,
  rows: MessageRow[],
  isLost: (clientId: string) => boolean,
): string[] {
  const ids = new Map(rows.map(({ clientId, id }) => [clientId, id]))
  return [...answered].flatMap(([clientId, id]) => {
    if (ids.get(clientId) === id || isLost(clientId)) return []
    return [`${clientId} was answered with ${id}, and is ${ids.get(clientId) ?? 'not there'}`]
  })
}

/** What one person said stands in the order in which it was said. */
function findOrderViolations(
  { answered }: SimulatedClient,
  rows: MessageRow[],
  isLost: (clientId: string) => boolean,
): string[] {
  const said = [...answered.keys()].filter((clientId) => !isLost(clientId))
  const place = new Map(rows.map(({ clientId }, index) => [clientId, index]))
  return said.flatMap((clientId, index) => {
    const before = said[index - 1]
    if (before === undefined || (place.get(before) ?? 0) < (place.get(clientId) ?? 0)) return []
    return [`${clientId} stands before ${before}`]
  })
}

/** From the oldest message that a client was given, it shows all that there are, and none that is not, lost ones neither. */
function findViewMismatches(client: SimulatedClient, rows: MessageRow[]): string[] {
  const { person } = client
  const { messagesByClientId } = client.view
  const kept = new Set(rows.map(({ clientId }) => clientId))
  const firstShown = rows.findIndex(({ clientId }) => messagesByClientId.has(clientId))
  const missing = rows
    .slice(firstShown === -1 ? 0 : firstShown)
    .filter(({ clientId }) => !messagesByClientId.has(clientId))
  return [
    ...missing.map(({ clientId }) => `${person.username} does not show ${clientId}`),
    ...[...messagesByClientId.keys()]
      .filter((clientId) => !kept.has(clientId))
      .map((clientId) => `${person.username} shows ${clientId}, which is not there`),
  ]
}

/** Every region that runs counts the people who are there, and every client sees them. */
export function findPresenceMismatches(site: SimulatedCluster): string[] {
  const clients = site.clients.filter(({ hasEnded }) => !hasEnded)
  const expected = clients.map(({ person }) => person.userId).sort((a, b) => a - b)
  const wrong = (who: string, ids: Iterable<number>) => {
    const found = [...ids].sort((a, b) => a - b)
    return String(found) === String(expected) ? [] : [`${who} sees the people ${found} instead of ${expected}`]
  }
  const inRegion = (name: string) => {
    const presence = site.process(name)?.region?.appContext.presence
    if (!presence) return []
    const people = presence.listRoom(SIMULATED_ROOM_ID).map(({ id }) => id)
    const counts = [presence.onlineCount, presence.roomCount(SIMULATED_ROOM_ID)].filter(
      (count) => count !== expected.length,
    )
    return [
      ...wrong(name, people),
      ...counts.map((count) => `${name} counts ${count} people instead of ${expected.length}`),
    ]
  }
  return [
    ...site.regions.flatMap(inRegion),
    ...clients.flatMap(({ view, person }) => wrong(person.username, view.usernamesById.keys())),
  ]
}

function readDatabase<T>(site: SimulatedCluster, name: string, read: (db: Sqlite.Database) => T): T {
  return site.litefs.mountOf(name).file.read(read)
}
