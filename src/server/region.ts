import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Refusal } from '../shared/protocol/refusals.ts'
import { loadKeys } from './accounts/keys.ts'
import { openForReading } from './database/open.ts'
import { DatabaseReader } from './database/read.ts'
import { createWriteDoor } from './database/write-door.ts'
import { createLimiter } from './http/limits.ts'
import { Duplicates } from './live/duplicates.ts'
import { Lines } from './live/lines.ts'
import { Publisher } from './live/publish.ts'
import { type FileStore, openFiles } from './media/files.ts'
import { fileRows } from './media/queries.ts'
import { createMetrics } from './operations/metrics.ts'
import { Presence } from './presence/presence.ts'
import { FollowLog } from './regions/follow-log.ts'
import { type Ground, machine } from './regions/ground.ts'
import type { Hub } from './regions/link-hub.ts'
import { CommandRoad } from './regions/send-on.ts'
import { enter, type Stand, standOn } from './regions/stand.ts'
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
  /** Takes the links of other regions; null where there are none. */
  hub: Hub | null
  files: FileStore
  /** Tells everyone, refuses new work, hands the lease over, writes the queue out, closes the database. Once, however often it is called. */
  close(): Promise<void>
}

export interface RegionOptions {
  ground?: Ground
  /** Ends the wait for a database that is not there yet; `openRegion` then rejects with the signal's reason. */
  signal?: AbortSignal
}

/** Opens the database through its two doors and everything that lives on them. Throws a DatabaseError. */
export async function openRegion(settings: Settings, log: Logger, options: RegionOptions = {}): Promise<Region> {
  mkdirSync(settings.dataFolder, { recursive: true })
  const { ground = machine(settings, log), signal = new AbortController().signal } = options
  const metrics = createMetrics()
  const keys = await loadKeys(settings)
  const late: { stand: Stand | null } = { stand: null }
  const door = createWriteDoor(
    {
      file: settings.databaseFile,
      queueLength: settings.queueLength,
      onLiteFs: settings.litefs !== null,
      onEvents: (events, position) => late.stand?.wrote(events, position),
      onBatch: metrics.committed,
      onBug: (command, stack) => log.error({ command, stack }, 'a command failed in the writer'),
      onLost: (cause) => log.warn({ cause }, 'the lease went while something was written'),
    },
    ground.writer(),
  )
  const entry = await enter(settings, ground, door, signal).catch(async (error: unknown) => {
    await door.close()
    throw error
  })

  const connection = openForReading(settings.databaseFile)
  const read = new DatabaseReader(connection)
  const publisher = new Publisher(read.cursor())
  const followLog = new FollowLog(read, publisher, (lostSeq) =>
    log.warn({ lostSeq }, 'what was told last is not in the log any more: everybody starts over'),
  )
  const common = { settings, log, metrics, keys, read, publisher }
  const files = await openFiles({
    folder: join(settings.dataFolder, 'files'),
    key: keys.files,
    sources: {
      leader: () => entry.litefs?.leader() ?? { is: 'self' },
      others: () => stand.others(),
      isCandidate: settings.litefs?.isCandidate ?? false,
    },
    rows: fileRows(read),
    register: (file) => road.execute('registerFile', null, file),
    log,
  })
  const stand = standOn({
    ...common,
    ...entry,
    ground,
    door,
    connection,
    followLog,
    onRoad: () => road.changed(),
    onTransaction: () => void files.fillNew(),
    onTakeOver: () => files.fill(),
    onLead: async () => void (await road.execute('seedHouse', null, {})),
  })
  late.stand = stand
  const road = new CommandRoad({
    road: stand.road,
    amongRegions: entry.litefs !== null,
    mostUnderWay: settings.queueLength,
    reached: (position, deadlineMs) => stand.caughtUp.reached(position, deadlineMs),
    onForwarded: metrics.forwarded,
    onBehind: metrics.answeredBehind,
  })
  const { clock, bus, footing } = stand
  const presence = new Presence(publisher, () => ground.steady(), bus)
  const duplicates = new Duplicates({ presence, publisher, clock }, bus)
  const snapshots = createLimiter({ ...SNAPSHOTS, points: SNAPSHOTS.points * settings.limitScale })
  let closing = false
  const world: World = {
    ...common,
    execute: road.execute,
    snapshots,
    presence,
    duplicates,
    footing,
    files,
    clock,
    stopping: () => closing,
  }
  const lines = new Lines(world)
  metrics.watch({
    connections: () => lines.size,
    queueLength: () => door.waiting(),
    lagMs: () => footing.lagMs(),
    links: stand.links,
    heldAnswers: () => stand.caughtUp.held(),
  })
  await stand.start()
  const chores = setInterval(() => void doChores(world, files), CHORES_MS)
  chores.unref()
  void files.fill()

  const shutDown = async () => {
    closing = true
    clearInterval(chores)
    lines.announceShutdown(RESTARTING)
    await stand.handOver()
    await road.drain()
    await door.shut()
    lines.close()
    presence.close()
    stand.close()
    followLog.close()
    await files.close()
    connection.close()
    await door.close()
  }
  let closed: Promise<void> | null = null
  return {
    world,
    lines,
    hub: stand.hub,
    files,
    close: () => {
      closed ??= shutDown()
      return closed
    },
  }
}

/** Each in small steps, one after another, so that nobody waits for them. What the primary does for all, it does alone. */
async function doChores({ execute, presence, footing }: World, files: FileStore): Promise<void> {
  const userIds = presence.onlineUserIds()
  if (userIds.length) await execute('touchUsers', null, { userIds })
  void files.fill()
  if (footing.role() !== 'primary') return
  for (const chore of ['trimLog', 'sweepAccounts'] as const) {
    let step = await execute(chore, null, {})
    while (!(step instanceof Refusal) && step.removed > 0) step = await execute(chore, null, {})
  }
}
