import { createHash } from 'node:crypto'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { makeRootAdmin } from '../../accounts/roles/make-root-admin.ts'
import { openGuestSession } from '../../accounts/sign-in/open-guest-session.ts'
import { openMemberSession } from '../../accounts/sign-in/open-member-session.ts'
import { signToken } from '../../accounts/tokens/tokens.ts'
import type { AppContext } from '../../app-context.ts'
import type { NumberedMigration } from '../../database/migrate.ts'
import { Connection } from '../../live/connection.ts'
import { createFakeTransport } from '../fixtures/fake-transport.ts'
import { createTemporaryFolder } from '../fixtures/test-database.ts'
import type { TestUser } from '../fixtures/test-region.ts'
import { type Fault, faults } from './faults.ts'
import { countLostAnswers, countLostEvents, findPresenceMismatches, findViolations } from './invariants.ts'
import { SeededRandom } from './seeded-random.ts'
import type { SimulatedClient } from './simulated-client.ts'
import { SimulatedClock } from './simulated-clock.ts'
import { SimulatedCluster } from './simulated-cluster.ts'

const REGIONS = ['ankara', 'berlin', 'cidde']
const USERNAMES = ['ada', 'bora', 'can', 'defne', 'ece']
/** So many of them are root admins, whom the chat's limits do not bind. */
const ROOT_ADMIN_COUNT = 3
const HOUR_MS = 60 * 60_000
const FAULT_PHASE_MS = 60_000
/** Around a mishap people say more than before and after. */
const BURST_MS = 300
const RECOVERY_TIMEOUT_MS = 240_000
/** Who is gone is gone everywhere within 15 s. */
const PRESENCE_TIMEOUT_MS = 15_000

/** What a seed says of the site, besides what befalls it. */
export interface SimulationPlan {
  regions: string[]
  lease: 'static' | 'consul'
  /** Only what may lose nothing befalls it. */
  isLossless: boolean
  /** Machines whose clocks are wrong by at most so much. */
  maxClockSkewMs: number
}

export interface SimulationResult {
  plan: SimulationPlan
  /** What is wrong, in words. */
  violations: string[]
  /** Messages that were answered. */
  answeredCount: number
  /** Of these, how many were lost with a primary. */
  lostCount: number
  /** Of what happened, in order. */
  trace: string[]
  /** Of all of it: the same for the same seed. */
  fingerprint: string
}

/** One run of a whole site, from its start over mishaps to rest. Its migrations are those of this code, loaded. */
export async function runSimulation(seed: number, migrations: NumberedMigration[]): Promise<SimulationResult> {
  const chance = new SeededRandom(seed)
  const plan: SimulationPlan = {
    regions: REGIONS.slice(0, chance.integer(2, REGIONS.length)),
    lease: chance.isLikely(0.75) ? 'consul' : 'static',
    isLossless: chance.isLikely(0.4),
    maxClockSkewMs: chance.isLikely(0.5) ? HOUR_MS : 0,
  }
  // Connections are pinged in turns by their numbers, which go on from run to run.
  while (new Connection(createFakeTransport(), 1).id % 100 !== 0);
  const folder = createTemporaryFolder()
  const time = new SimulatedClock(chance.fork())
  const names = plan.regions
  const site = new SimulatedCluster({ ...plan, clock: time, random: chance.fork(), folder: folder.path, migrations })
  try {
    for (const name of names) site.startRegion(name)
    await time.advanceUntil('every region is ready', () => site.listUnsettled().length === 0, 60_000)
    for (const [index, username] of USERNAMES.entries()) {
      const home = chance.pick(names)
      site.addClient(
        await time.advanceUntilSettled('entering', createUser(site, home, username, index < ROOT_ADMIN_COUNT)),
        home,
      )
    }
    await time.advanceUntil('everybody is in the room', () => site.listUnsettled().length === 0, 60_000)
    const story = await injectFaults(
      site,
      time,
      chance,
      plan.isLossless ? faults.filter((of) => !of.canLoseCommits) : faults,
    )
    const heals = () => site.listUnsettled().length === 0
    // Both are judged below. A chore may just have written something when the people have settled.
    await time.advanceUntil('everything is well again', heals, RECOVERY_TIMEOUT_MS).catch(() => {})
    await time.advance(PRESENCE_TIMEOUT_MS)
    await time.advanceUntil('nothing is on its way', heals, PRESENCE_TIMEOUT_MS).catch(() => {})
    const result = collectResult(site, plan, story)
    if (result.violations.length === 0) result.violations.push(...(await killRegion(site, time, chance)))
    return result
  } finally {
    await site.close()
    time.restoreRealTime()
    folder.remove()
  }
}

/** People talk, and things go wrong one after another and together; in the end all is healed and started. */
async function injectFaults(
  site: SimulatedCluster,
  time: SimulatedClock,
  chance: SeededRandom,
  of: Fault[],
): Promise<string[]> {
  const story: string[] = []
  const end = Date.now() + FAULT_PHASE_MS
  const under: Promise<void>[] = []
  let nextMishap = Date.now() + chance.integer(1_000, 5_000)
  while (Date.now() < end) {
    await time.advance(chance.integer(50, 1_000))
    chance.pick(site.clients).sendMessage()
    if (Date.now() < nextMishap) continue
    nextMishap = Date.now() + chance.integer(1_000, 8_000)
    for (const client of site.clients) sendBurst(client, chance)
    await time.advance(chance.integer(0, BURST_MS))
    const mishap = chance.pick(of)
    story.push(`${Date.now()} ${mishap.name}`)
    under.push(mishap.inject(site, chance.fork()))
  }
  await time.advanceUntilSettled('the end of every mishap', Promise.all(under))
  site.network.healAll()
  for (const name of site.regions) site.startRegion(name)
  return story
}

function collectResult(site: SimulatedCluster, plan: SimulationPlan, befallen: string[]): SimulationResult {
  const story = [...befallen, ...site.clients.flatMap((client) => client.trace), ...site.logs.map(formatLogLine)].sort()
  const all = site.clients.map(({ answered, view }) => [...answered, ...view.messagesByClientId.keys()])
  const lost = countLostAnswers(site)
  return {
    plan,
    violations: [
      ...site.listUnsettled(),
      ...findViolations(site),
      ...(plan.isLossless && lost > 0 ? [`${lost} answered messages were lost without need`] : []),
      ...findMiscountedLosses(site, lost),
    ],
    answeredCount: site.clients.reduce((sum, { answered }) => sum + answered.size, 0),
    lostCount: lost,
    trace: story,
    fingerprint: createHash('sha256')
      .update(JSON.stringify([story, all]))
      .digest('hex')
      .slice(0, 16),
  }
}

/** Much is under way just when something happens. */
function sendBurst(client: SimulatedClient, chance: SeededRandom): void {
  for (let count = chance.integer(0, 4); count > 0; count--)
    setTimeout(() => client.sendMessage(), chance.integer(0, 2 * BURST_MS))
}

/** A region dies, and its people with it; whoever is left sees them go in time. */
async function killRegion(site: SimulatedCluster, time: SimulatedClock, chance: SeededRandom): Promise<string[]> {
  const name = chance.pick(site.regions)
  for (const client of site.clients) if (client.region === name) client.end()
  if (chance.isLikely(0.5))
    for (const other of site.regions) if (other !== name) site.network.partition(name, other, false)
  const end = site.endRegion(name, 'both')
  await time.advance(PRESENCE_TIMEOUT_MS)
  await time.advanceUntilSettled('its end', end)
  return findPresenceMismatches(site).map((fault) => `after ${name} had died: ${fault}`)
}

/**
 * Former primaries tell how much of what they had committed the site has lost. What the last batch before a kill had
 * committed may be known to nobody, neither its author nor the region; and what was lost may come back with a region
 * that was away.
 */
function findMiscountedLosses(site: SimulatedCluster, lostAnswered: number): string[] {
  const reports = site.logs.filter(({ msg }) => String(msg).startsWith('lost events'))
  const reported = reports.reduce((sum, { events }) => sum + Number(events), 0)
  const lost = countLostEvents(site)
  if (lostAnswered <= reported && reported <= lost) return []
  return [`${lost} events were lost, ${lostAnswered} of them answered, and ${reported} were reported`]
}

function formatLogLine({ at, from, msg, time, pid, hostname, level, ...more }: Record<string, unknown>): string {
  return `${at} ${from}: ${msg} ${JSON.stringify(more)}`
}

/** Somebody comes, through the commands that forms use. */
async function createUser(site: SimulatedCluster, home: string, username: string, isAdmin: boolean): Promise<TestUser> {
  // Root admins are made where the file is written.
  const at = isAdmin ? (site.litefs.primaryMount()?.name ?? home) : home
  const world = site.process(at)?.region?.appContext
  if (!world) throw new Error(`${at} does not run`)
  const opened = await (isAdmin ? openRootAdminSession(world, username) : enterAsGuest(world, username))
  if (opened instanceof Refusal) throw new Error(`${username} could not enter: ${opened.body.code}`)
  return { ...opened, username, token: await signToken(world.keys, 'userToken', opened, world.clock()) }
}

function enterAsGuest({ execute }: AppContext, username: string) {
  return execute(openGuestSession, null, { username, gender: null, browserId: null, platform: 'web' })
}

async function openRootAdminSession({ execute }: AppContext, username: string) {
  const passwordHash = 'none'
  const made = await execute(makeRootAdmin, null, { username, passwordHash })
  if (made instanceof Refusal) return made
  return execute(openMemberSession, null, { userId: made.userId, passwordHash, browserId: null, platform: 'web' })
}
