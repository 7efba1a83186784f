import { createHash } from 'node:crypto'
import { Refusal } from '../../shared/protocol/refusals.ts'
import { signToken } from '../accounts/tokens.ts'
import type { NumberedMigration } from '../database/migrate.ts'
import { Connection } from '../live/connection.ts'
import type { AppContext } from '../world.ts'
import { temporaryFolder } from './database.ts'
import { Chance } from './simulated-chance.ts'
import { countLostEvents, findFaults, findWrongPeople, lostAnswers } from './simulated-checks.ts'
import type { SimulatedClient } from './simulated-client.ts'
import { type Mishap, mishaps } from './simulated-mishaps.ts'
import { SimulatedSite } from './simulated-site.ts'
import { SimulatedTime } from './simulated-time.ts'
import { testLine } from './socket-pair.ts'
import type { TestPerson } from './world.ts'

const REGIONS = ['ankara', 'berlin', 'cidde']
const NAMES = ['ada', 'bora', 'can', 'defne', 'ece']
/** So many of them are root admins, whom the chat's limits do not bind. */
const ADMINS = 3
const HOUR_MS = 60 * 60_000
const TALK_MS = 60_000
/** Around a mishap people say more than before and after. */
const BURST_MS = 300
const HEAL_MS = 240_000
/** Who is gone is gone everywhere within 15 s. */
const PRESENCE_MS = 15_000

/** What a seed says of the site, besides what befalls it. */
export interface Plan {
  regions: string[]
  lease: 'static' | 'consul'
  /** Only what may lose nothing befalls it. */
  gentle: boolean
  /** Machines whose clocks are wrong by at most so much. */
  clocksWrongByMs: number
}

export interface SimulationResult {
  plan: Plan
  /** What is wrong, in words. */
  faults: string[]
  /** Messages that were answered. */
  answered: number
  /** Of these, how many were lost with a primary. */
  lost: number
  /** Of what happened, in order. */
  story: string[]
  /** Of all of it: the same for the same seed. */
  fingerprint: string
}

/** One run of a whole site, from its start over mishaps to rest. Its migrations are those of this code, loaded. */
export async function simulate(seed: number, migrations: NumberedMigration[]): Promise<SimulationResult> {
  const chance = new Chance(seed)
  const plan: Plan = {
    regions: REGIONS.slice(0, chance.whole(2, REGIONS.length)),
    lease: chance.happens(0.75) ? 'consul' : 'static',
    gentle: chance.happens(0.4),
    clocksWrongByMs: chance.happens(0.5) ? HOUR_MS : 0,
  }
  // Connections are pinged in turns by their numbers, which go on from run to run.
  while (new Connection(testLine(), 1).id % 100 !== 0);
  const folder = temporaryFolder()
  const time = new SimulatedTime(chance.fork())
  const names = plan.regions
  const site = new SimulatedSite({ ...plan, time, chance: chance.fork(), folder: folder.path, migrations })
  try {
    for (const name of names) site.start(name)
    await time.until('every region is ready', () => site.unrest().length === 0, 60_000)
    for (const [index, username] of NAMES.entries()) {
      const home = chance.pick(names)
      site.addClient(await time.of('entering', enter(site, home, username, index < ADMINS)), home)
    }
    await time.until('everybody is in the room', () => site.unrest().length === 0, 60_000)
    const story = await befall(site, time, chance, plan.gentle ? mishaps.filter((of) => !of.mayLose) : mishaps)
    const heals = () => site.unrest().length === 0
    // Both are judged below. A chore may just have written something when the people have settled.
    await time.until('everything is well again', heals, HEAL_MS).catch(() => {})
    await time.pass(PRESENCE_MS)
    await time.until('nothing is on its way', heals, PRESENCE_MS).catch(() => {})
    const result = judge(site, plan, story)
    if (result.faults.length === 0) result.faults.push(...(await bury(site, time, chance)))
    return result
  } finally {
    await site.close()
    time.end()
    folder.remove()
  }
}

/** People talk, and things go wrong one after another and together; in the end all is healed and started. */
async function befall(site: SimulatedSite, time: SimulatedTime, chance: Chance, of: Mishap[]): Promise<string[]> {
  const story: string[] = []
  const end = Date.now() + TALK_MS
  const under: Promise<void>[] = []
  let nextMishap = Date.now() + chance.whole(1_000, 5_000)
  while (Date.now() < end) {
    await time.pass(chance.whole(50, 1_000))
    chance.pick(site.clients).say()
    if (Date.now() < nextMishap) continue
    nextMishap = Date.now() + chance.whole(1_000, 8_000)
    for (const client of site.clients) talkAround(client, chance)
    await time.pass(chance.whole(0, BURST_MS))
    const mishap = chance.pick(of)
    story.push(`${Date.now()} ${mishap.name}`)
    under.push(mishap.happen(site, chance.fork()))
  }
  await time.of('the end of every mishap', Promise.all(under))
  site.network.healAll()
  for (const name of site.regions) site.start(name)
  return story
}

function judge(site: SimulatedSite, plan: Plan, befallen: string[]): SimulationResult {
  const story = [...befallen, ...site.clients.flatMap((client) => client.story), ...site.logs.map(told)].sort()
  const all = site.clients.map(({ answered, view }) => [...answered, ...view.shown.keys()])
  const lost = lostAnswers(site)
  return {
    plan,
    faults: [
      ...site.unrest(),
      ...findFaults(site),
      ...(plan.gentle && lost > 0 ? [`${lost} answered messages were lost without need`] : []),
      ...miscounted(site, lost),
    ],
    answered: site.clients.reduce((sum, { answered }) => sum + answered.size, 0),
    lost,
    story,
    fingerprint: createHash('sha256')
      .update(JSON.stringify([story, all]))
      .digest('hex')
      .slice(0, 16),
  }
}

/** Much is under way just when something happens. */
function talkAround(client: SimulatedClient, chance: Chance): void {
  for (let count = chance.whole(0, 4); count > 0; count--) setTimeout(() => client.say(), chance.whole(0, 2 * BURST_MS))
}

/** A region dies, and its people with it; whoever is left sees them go in time. */
async function bury(site: SimulatedSite, time: SimulatedTime, chance: Chance): Promise<string[]> {
  const name = chance.pick(site.regions)
  for (const client of site.clients) if (client.region === name) client.end()
  if (chance.happens(0.5)) for (const other of site.regions) if (other !== name) site.network.cut(name, other, false)
  const end = site.end(name, 'both')
  await time.pass(PRESENCE_MS)
  await time.of('its end', end)
  return findWrongPeople(site).map((fault) => `after ${name} had died: ${fault}`)
}

/**
 * Former primaries tell how much of what they had committed the site has lost. What the last batch before a kill had
 * committed may be known to nobody, neither its author nor the region; and what was lost may come back with a region
 * that was away.
 */
function miscounted(site: SimulatedSite, lostAnswered: number): string[] {
  const reports = site.logs.filter(({ msg }) => String(msg).startsWith('events were lost'))
  const reported = reports.reduce((sum, { events }) => sum + Number(events), 0)
  const lost = countLostEvents(site)
  if (lostAnswered <= reported && reported <= lost) return []
  return [`${lost} events were lost, ${lostAnswered} of them answered, and ${reported} were reported`]
}

function told({ at, from, msg, time, pid, hostname, level, ...more }: Record<string, unknown>): string {
  return `${at} ${from}: ${msg} ${JSON.stringify(more)}`
}

/** Somebody comes, through the commands that forms use. */
async function enter(site: SimulatedSite, home: string, username: string, isAdmin: boolean): Promise<TestPerson> {
  // Root admins are made where the file is written.
  const at = isAdmin ? (site.litefs.primary()?.name ?? home) : home
  const world = site.process(at)?.region?.appContext
  if (!world) throw new Error(`${at} does not run`)
  const opened = await (isAdmin ? openAdmin(world, username) : openGuest(world, username))
  if (opened instanceof Refusal) throw new Error(`${username} could not enter: ${opened.body.code}`)
  return { ...opened, username, token: await signToken(world.keys, 'userToken', opened, world.clock()) }
}

function openGuest({ execute }: AppContext, username: string) {
  return execute('openGuestSession', null, { username, gender: null, browserId: null, platform: 'web' })
}

async function openAdmin({ execute }: AppContext, username: string) {
  const passwordHash = 'none'
  const made = await execute('makeRootAdmin', null, { username, passwordHash })
  if (made instanceof Refusal) return made
  return execute('openMemberSession', null, { userId: made.userId, passwordHash, browserId: null, platform: 'web' })
}
