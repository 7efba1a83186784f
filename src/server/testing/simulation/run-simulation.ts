import { createHash } from 'node:crypto'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { makeRootAdmin } from '../../features/accounts/roles/make-root-admin.ts'
import { openGuestSession } from '../../features/accounts/sign-in/open-guest-session.ts'
import { openMemberSession } from '../../features/accounts/sign-in/open-member-session.ts'
import { signToken } from '../../features/accounts/tokens/tokens.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NumberedMigration } from '../../kernel/database/migrate.ts'
import { Connection } from '../../kernel/live/connection.ts'
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
/** The first of them are root admins, to whom the chat's limits do not apply. */
const ROOT_ADMIN_COUNT = 3
const HOUR_MS = 60 * 60_000
const FAULT_PHASE_MS = 60_000
/** Clients send more messages during this time before and after a fault. */
const BURST_MS = 300
const RECOVERY_TIMEOUT_MS = 240_000
/** Every region removes a disconnected user within 15 s. */
const PRESENCE_TIMEOUT_MS = 15_000

/** The cluster that a seed describes, without its faults. */
export interface SimulationPlan {
  regions: string[]
  lease: 'static' | 'consul'
  /** Only faults that cannot lose commits are injected. */
  isLossless: boolean
  /** Maximum clock error of a machine, in milliseconds. */
  maxClockSkewMs: number
}

export interface SimulationResult {
  plan: SimulationPlan
  /** Descriptions of violated invariants. */
  violations: string[]
  /** Number of answered messages. */
  answeredCount: number
  /** Number of answered messages that were lost with a primary. */
  lostCount: number
  /** Faults, client traces and logs, sorted by time. */
  trace: string[]
  /** Hash of the run: the same for the same seed. */
  fingerprint: string
}

/** Runs a cluster from start through faults to recovery. @param migrations those of this code, loaded */
export async function runSimulation(seed: number, migrations: NumberedMigration[]): Promise<SimulationResult> {
  const random = new SeededRandom(seed)
  const plan: SimulationPlan = {
    regions: REGIONS.slice(0, random.integer(2, REGIONS.length)),
    lease: random.isLikely(0.75) ? 'consul' : 'static',
    isLossless: random.isLikely(0.4),
    maxClockSkewMs: random.isLikely(0.5) ? HOUR_MS : 0,
  }
  // Ping times depend on connection numbers, which continue from run to run: align them.
  while (new Connection(createFakeTransport(), 1).id % 100 !== 0);
  const folder = createTemporaryFolder()
  const clock = new SimulatedClock(random.fork())
  const names = plan.regions
  const cluster = new SimulatedCluster({ ...plan, clock, random: random.fork(), folder: folder.path, migrations })
  try {
    for (const name of names) cluster.startRegion(name)
    await clock.advanceUntil('every region is ready', () => cluster.listUnsettled().length === 0, 60_000)
    for (const [index, username] of USERNAMES.entries()) {
      const home = random.pick(names)
      cluster.addClient(
        await clock.advanceUntilSettled('sign-in', createUser(cluster, home, username, index < ROOT_ADMIN_COUNT)),
        home,
      )
    }
    await clock.advanceUntil('every client is in the room', () => cluster.listUnsettled().length === 0, 60_000)
    const faultTrace = await injectFaults(
      cluster,
      clock,
      random,
      plan.isLossless ? faults.filter((fault) => !fault.canLoseCommits) : faults,
    )
    const isSettled = () => cluster.listUnsettled().length === 0
    // A job may write after the clients have settled; collectResult reports clients that have not.
    await clock.advanceUntil('the cluster is settled', isSettled, RECOVERY_TIMEOUT_MS).catch(() => {})
    await clock.advance(PRESENCE_TIMEOUT_MS)
    await clock.advanceUntil('the cluster is settled again', isSettled, PRESENCE_TIMEOUT_MS).catch(() => {})
    const result = collectResult(cluster, plan, faultTrace)
    if (result.violations.length === 0) result.violations.push(...(await killRegion(cluster, clock, random)))
    return result
  } finally {
    await cluster.close()
    clock.restoreRealTime()
    folder.remove()
  }
}

/** Injects overlapping faults while clients send messages, then heals the network and starts every region. */
async function injectFaults(
  cluster: SimulatedCluster,
  clock: SimulatedClock,
  random: SeededRandom,
  possibleFaults: Fault[],
): Promise<string[]> {
  const faultTrace: string[] = []
  const end = Date.now() + FAULT_PHASE_MS
  const runningFaults: Promise<void>[] = []
  let nextFaultAt = Date.now() + random.integer(1_000, 5_000)
  while (Date.now() < end) {
    await clock.advance(random.integer(50, 1_000))
    random.pick(cluster.clients).sendMessage()
    if (Date.now() < nextFaultAt) continue
    nextFaultAt = Date.now() + random.integer(1_000, 8_000)
    for (const client of cluster.clients) sendBurst(client, random)
    await clock.advance(random.integer(0, BURST_MS))
    const fault = random.pick(possibleFaults)
    faultTrace.push(`${Date.now()} ${fault.name}`)
    runningFaults.push(fault.inject(cluster, random.fork()))
  }
  await clock.advanceUntilSettled('the end of every fault', Promise.all(runningFaults))
  cluster.network.healAll()
  for (const name of cluster.regions) cluster.startRegion(name)
  return faultTrace
}

function collectResult(cluster: SimulatedCluster, plan: SimulationPlan, faultTrace: string[]): SimulationResult {
  const trace = [
    ...faultTrace,
    ...cluster.clients.flatMap((client) => client.trace),
    ...cluster.logs.map(formatLogLine),
  ].sort()
  const clientStates = cluster.clients.map(({ answered, view }) => [...answered, ...view.messagesByClientId.keys()])
  const lost = countLostAnswers(cluster)
  return {
    plan,
    violations: [
      ...cluster.listUnsettled(),
      ...findViolations(cluster),
      ...(plan.isLossless && lost > 0
        ? [`${lost} answered messages were lost without a fault that can lose commits`]
        : []),
      ...findMiscountedLosses(cluster, lost),
    ],
    answeredCount: cluster.clients.reduce((sum, { answered }) => sum + answered.size, 0),
    lostCount: lost,
    trace,
    fingerprint: createHash('sha256')
      .update(JSON.stringify([trace, clientStates]))
      .digest('hex')
      .slice(0, 16),
  }
}

/** Sends up to four messages around a fault, so that some are in flight when it starts. */
function sendBurst(client: SimulatedClient, random: SeededRandom): void {
  for (let count = random.integer(0, 4); count > 0; count--)
    setTimeout(() => client.sendMessage(), random.integer(0, 2 * BURST_MS))
}

/** Kills a region with its clients. Returns presence violations of the others after the timeout. */
async function killRegion(cluster: SimulatedCluster, clock: SimulatedClock, random: SeededRandom): Promise<string[]> {
  const name = random.pick(cluster.regions)
  for (const client of cluster.clients) if (client.region === name) client.end()
  if (random.isLikely(0.5))
    for (const other of cluster.regions) if (other !== name) cluster.network.partition(name, other, false)
  const end = cluster.endRegion(name, 'both')
  await clock.advance(PRESENCE_TIMEOUT_MS)
  await clock.advanceUntilSettled('the end of the killed region', end)
  return findPresenceMismatches(cluster).map((violation) => `after the kill of ${name}: ${violation}`)
}

/**
 * Former primaries report their lost events in the log. The reports may miss the last batch before a kill, which is
 * neither answered nor known to the region, and lost events may return with a region that was away.
 */
function findMiscountedLosses(cluster: SimulatedCluster, lostAnswered: number): string[] {
  const reports = cluster.logs.filter(({ msg }) => String(msg).startsWith('lost events'))
  const reportedCount = reports.reduce((sum, { events }) => sum + Number(events), 0)
  const lostCount = countLostEvents(cluster)
  if (lostAnswered <= reportedCount && reportedCount <= lostCount) return []
  return [`${lostCount} events were lost, ${lostAnswered} of them answered, and ${reportedCount} were reported`]
}

function formatLogLine({ at, from, msg, time, pid, hostname, level, ...more }: Record<string, unknown>): string {
  return `${at} ${from}: ${msg} ${JSON.stringify(more)}`
}

/** Creates a user and a session with the commands behind the sign-in forms. */
async function createUser(
  cluster: SimulatedCluster,
  home: string,
  username: string,
  isAdmin: boolean,
): Promise<TestUser> {
  // makeRootAdmin is a command of the primary.
  const region = isAdmin ? (cluster.litefs.primaryMount()?.name ?? home) : home
  const appContext = cluster.process(region)?.region?.appContext
  if (!appContext) throw new Error(`${region} does not run`)
  const opened = await (isAdmin ? openRootAdminSession(appContext, username) : signInAsGuest(appContext, username))
  if (opened instanceof Refusal) throw new Error(`${username} could not sign in: ${opened.body.code}`)
  return { ...opened, username, token: await signToken(appContext.keys, 'userToken', opened, appContext.clock()) }
}

function signInAsGuest({ execute }: AppContext, username: string) {
  return execute(openGuestSession, null, { username, gender: null, platform: 'web' })
}

async function openRootAdminSession({ execute }: AppContext, username: string) {
  const passwordHash = 'none'
  const created = await execute(makeRootAdmin, null, { username, passwordHash })
  if (created instanceof Refusal) return created
  return execute(openMemberSession, null, { userId: created.userId, passwordHash, platform: 'web' })
}
