import { CloseCode } from '../../shared/protocol/frame.ts'
import { DUPLICATE_CHECK_MS } from '../../shared/text/limits.ts'
import type { World } from '../world.ts'
import type { Connection } from './connection.ts'
import type { Handler } from './outcome.ts'
import { encodeMoment } from './publish.ts'

const ALREADY_HERE = 'Başka bir sekmede ya da tarayıcıda zaten bağlısınız.'
/** More connections than this of one person, and the oldest go: each newer one asks all the older ones. */
const MOST_CONNECTIONS = 16
const TAKEN_OVER = 'Oturumunuz başka bir yerde devam ediyor.'

/**
 * The same tab replaces its older connection silently. Any other connection of this person is asked, and only if it
 * answers within a second is the newer one told (design/product.md, "Accounts").
 */
export function meetDuplicates(world: World, newer: Connection): void {
  const others = world.presence.othersOf(newer) // the oldest first
  const tooMany = others.splice(0, Math.max(0, others.length + 1 - MOST_CONNECTIONS))
  for (const oldest of tooMany) disconnect(world, oldest, 'too many connections')
  for (const older of others) {
    const tabId = newer.identity?.tabId
    if (tabId && tabId === older.identity?.tabId) disconnect(world, older, 'the same tab came back')
    else ask(world, older, newer)
  }
}

function ask(world: World, older: Connection, newer: Connection): void {
  const askedAt = world.clock()
  older.pongWaiters.push(() => {
    if (newer.closed || older.closed || world.clock() - askedAt > DUPLICATE_CHECK_MS) return
    newer.toldDuplicate = true
    world.publisher.push(newer, encodeMoment('duplicateConnection', { message: ALREADY_HERE }))
  })
  older.transport.ping()
}

/** Called when a connection has gone: whoever was told of it and is alone now may go on. */
export function resolveDuplicates(world: World, others: Connection[]): void {
  const [last, ...more] = others
  if (!last?.toldDuplicate || more.length) return
  last.toldDuplicate = false
  world.publisher.push(last, encodeMoment('duplicateConnectionResolved', {}))
}

/** The person chose to go on: the older connections end, and the client of this one goes home. */
export const confirmDuplicateConnection: Handler<'confirmDuplicateConnection'> = (world, connection) => {
  for (const older of world.presence.othersOf(connection)) {
    world.publisher.push(older, encodeMoment('forceDisconnect', { message: TAKEN_OVER }))
    disconnect(world, older, 'taken over')
  }
  return { success: true }
}

function disconnect(world: World, older: Connection, reason: string): void {
  world.presence.depart(older, 'broken')
  world.publisher.end(older, CloseCode.takenOver, reason)
}
