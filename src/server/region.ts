import { mkdirSync } from 'node:fs'
import type { Logger } from 'pino'
import { Refusal } from '../shared/protocol/refusals.ts'
import { loadKeys } from './accounts/keys.ts'
import { openWriteDoor } from './database/execute.ts'
import { openForReading } from './database/open.ts'
import { DatabaseReader } from './database/read.ts'
import { createLimiter } from './http/limits.ts'
import { Duplicates } from './live/duplicates.ts'
import { Lines } from './live/lines.ts'
import { Publisher } from './live/publish.ts'
import { createMetrics } from './operations/metrics.ts'
import { Presence } from './presence/presence.ts'
import { aloneOnBus } from './regions/bus.ts'
import type { Settings } from './settings.ts'
import type { World } from './world.ts'

/** How often the log is trimmed, gone guests are let go, and people who are here are noted as seen. */
const CHORES_MS = 60_000

/** Rooms entered and resumes, by one person on however many connections: 30 at once, then one a second. */
const SNAPSHOTS = { points: 30, perMs: 30_000 }

const RESTARTING = 'Sunucu yeniden başlatılıyor. Birazdan geri döneceğiz.'

/** A running region, without its HTTP server. */
export interface Region {
  world: World
  lines: Lines
  /** Tells everyone, refuses new work, writes the queue out, closes the database. Once, however often it is called. */
  close(): Promise<void>
}

/** Opens the database through its two doors and everything that lives on them. Throws a DatabaseError. */
export async function openRegion(settings: Settings, log: Logger, clock: () => number = Date.now): Promise<Region> {
  mkdirSync(settings.dataFolder, { recursive: true })
  const metrics = createMetrics()
  const keys = await loadKeys(settings)
  let closing = false
  let publisher: Publisher | null = null
  const door = await openWriteDoor({
    file: settings.databaseFile,
    queueLength: settings.queueLength,
    onEvents: (events) => publisher?.publish(events),
    onBatch: (size, tookMs) => metrics.committed(size, tookMs),
    onBug: (command, stack) => log.error({ command, stack }, 'a command failed in the writer'),
  })
  await door.execute('seedHouse', null, {})
  const connection = openForReading(settings.databaseFile)
  const read = new DatabaseReader(connection)
  publisher = new Publisher(read.cursor())
  const bus = aloneOnBus('local')
  const presence = new Presence(publisher, clock, bus)
  const duplicates = new Duplicates({ presence, publisher, clock }, bus)
  const snapshots = createLimiter({ ...SNAPSHOTS, points: SNAPSHOTS.points * settings.limitScale })
  const stopping = () => closing
  const { execute } = door
  const world: World = {
    settings,
    log,
    metrics,
    keys,
    read,
    execute,
    publisher,
    snapshots,
    presence,
    duplicates,
    clock,
    stopping,
  }
  const lines = new Lines(world)
  metrics.watch({ connections: () => lines.size, queueLength: () => door.waiting() })

  const chores = setInterval(() => void doChores(world), CHORES_MS)
  chores.unref()

  const shutDown = async () => {
    closing = true
    clearInterval(chores)
    lines.announceShutdown(RESTARTING)
    await door.drain()
    lines.close()
    presence.close()
    connection.close()
    await door.close()
  }
  let closed: Promise<void> | null = null
  return {
    world,
    lines,
    close: () => {
      closed ??= shutDown()
      return closed
    },
  }
}

/** Each in small steps, one after another, so that nobody waits for them. */
async function doChores(world: World): Promise<void> {
  const userIds = world.presence.onlineUserIds()
  if (userIds.length) await world.execute('touchUsers', null, { userIds })
  for (const chore of ['trimLog', 'sweepAccounts'] as const) {
    let step = await world.execute(chore, null, {})
    while (!(step instanceof Refusal) && step.removed > 0) step = await world.execute(chore, null, {})
  }
}
