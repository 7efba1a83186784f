import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { decode } from '@msgpack/msgpack'
import type { Logger } from 'pino'
import type { EventPayload } from '../shared/protocol/catalogue.ts'
import { Refusal } from '../shared/protocol/refusals.ts'
import { loadKeys } from './accounts/keys.ts'
import { openForReading } from './database/open.ts'
import { DatabaseReader } from './database/read.ts'
import { SlowReadDoor } from './database/slow-read-door.ts'
import { createWriteDoor } from './database/write-door.ts'
import { createLimiter } from './http/limits.ts'
import { Duplicates } from './live/duplicates.ts'
import { Lines } from './live/lines.ts'
import { Publisher } from './live/publish.ts'
import { type FileStore, openFiles } from './media/files.ts'
import { Pictures } from './media/pictures.ts'
import { fileRows } from './media/queries.ts'
import { createMetrics } from './operations/metrics.ts'
import { Presence } from './presence/presence.ts'
import { FollowLog } from './regions/follow-log.ts'
import { type Ground, machine } from './regions/ground.ts'
import type { Hub } from './regions/link-hub.ts'
import { CommandRoad } from './regions/send-on.ts'
import { enter, type Stand, standOn } from './regions/stand.ts'
import { followBlocks } from './relations/follow-blocks.ts'
import { Indexing } from './room-chat/indexing.ts'
import { Typing } from './room-chat/typing.ts'
import type { Settings } from './settings.ts'
import { Activity } from './shell/activity.ts'
import type { World } from './world.ts'

/** How often the log is trimmed, gone guests are let go, and people who are here are noted as seen. */
const CHORES_MS = 60_000

/** How often files are looked for that nobody names any more. */
const SWEEP_MS = 60 * 60_000

/** How often the primary looks for what another process wrote into its log: `npm run admin` does. */
const LOOK_MS = 1_000

/** Rooms entered and resumes, by one person on however many connections: 30 at once, then one a second. */
const SNAPSHOTS = { points: 30, perMs: 30_000 }

/** Searches of one person, who types while they are made: 30 at once, then two a second. */
const SEARCHES = { points: 30, perMs: 15_000 }

/** What one person changes of themselves, which everyone may be told of: 30 at once, then one in 10 seconds. */
const OWN_CHANGES = { points: 30, perMs: 5 * 60_000 }

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
  const late: { stand: Stand | null; indexing: Indexing | null } = { stand: null, indexing: null }
  const door = createWriteDoor(
    {
      file: settings.databaseFile,
      queueLength: settings.queueLength,
      onLiteFs: settings.litefs !== null,
      onEvents: (events, position) => {
        late.stand?.wrote(events, position)
        late.indexing?.wrote(events)
      },
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
    onLead: async () => {
      await road.execute('seedHouse', null, {})
      late.indexing?.soon()
    },
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
  late.indexing = new Indexing(road.execute)
  const slowReads = new SlowReadDoor({
    file: settings.databaseFile,
    onBug: (name, stack) => log.error({ name, stack }, 'a slow read failed'),
  })
  const { clock, bus, footing } = stand
  const presence = new Presence(publisher, () => ground.steady(), bus)
  publisher.onRow((row) => {
    if (row.name !== 'userProfileUpdated') return
    presence.renew((decode(row.payload) as EventPayload<'userProfileUpdated'>).user, row.seq) // as it was emitted
  })
  followBlocks(publisher, (userId) => presence.connectionsOf(userId))
  const duplicates = new Duplicates({ presence, publisher, clock }, bus)
  const snapshots = createLimiter({ ...SNAPSHOTS, points: SNAPSHOTS.points * settings.limitScale })
  const typing = new Typing(publisher, bus, (roomId, userId) => presence.isIn(roomId, userId))
  const activity = new Activity(publisher, read)
  const searches = createLimiter({ ...SEARCHES, points: SEARCHES.points * settings.limitScale })
  const ownChanges = createLimiter({ ...OWN_CHANGES, points: OWN_CHANGES.points * settings.limitScale })
  let closing = false
  const world: World = {
    ...common,
    execute: road.execute,
    readSlowly: slowReads.read,
    snapshots,
    searches,
    ownChanges,
    presence,
    duplicates,
    typing,
    footing,
    files,
    pictures: new Pictures(),
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
  const looking = setInterval(() => footing.role() === 'primary' && followLog.follow(), LOOK_MS)
  looking.unref()
  const chores = setInterval(() => void doChores(world, files), CHORES_MS)
  chores.unref()
  const sweeping = setInterval(() => void sweep(world, files), SWEEP_MS)
  sweeping.unref()
  void files.fill()

  const shutDown = async () => {
    closing = true
    clearInterval(chores)
    clearInterval(sweeping)
    clearInterval(looking)
    late.indexing?.close()
    lines.announceShutdown(RESTARTING)
    await stand.handOver()
    await road.drain()
    // What other regions sent is answered while the lines to them are there. Alone, the writer is the last to leave the
    // file: whoever closes it last puts it in order.
    if (stand.hub) await door.shut()
    lines.close()
    presence.close()
    typing.close()
    activity.close()
    stand.close()
    followLog.close()
    await files.close()
    await slowReads.close()
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
  if (userIds.length) await execute('touchUsers', null, { userIds, sessionIds: presence.onlineSessionIds() })
  void files.fill()
  if (footing.role() !== 'primary') return
  for (const chore of ['trimLog', 'sweepAccounts', 'removeMessages'] as const) {
    let step = await execute(chore, null, {})
    while (!(step instanceof Refusal) && step.removed > 0) step = await execute(chore, null, {})
  }
}

/** Files that nobody names any more lose their rows, which the primary sees to; then each region lets go of what has none. */
async function sweep({ execute, footing }: World, files: FileStore): Promise<void> {
  let after: number | null = footing.role() === 'primary' ? 0 : null
  while (after !== null) {
    const step = await execute('sweepFiles', null, { after })
    after = step instanceof Refusal ? null : step.after
  }
  await files.sweep()
}
