import type { ConsolidatedProfile } from '../src/shared/profiles/consolidated-protocol.ts'
import { fillProfile, type ProfileFill } from './measure/fill-profile.ts'
import { compareFigure, type Report } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { meydan, type RunningMeydan } from './subjects/meydan.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const LOOKUPS = 1_000
const IN_FLIGHT = 8
const MAX_GROWTH = 1.2
const SMALL = 12
const FILLS = {
  small: { followers: SMALL, posts: SMALL },
  followed: { followers: 100_000, posts: SMALL },
  posting: { followers: SMALL, posts: 10_000 },
} as const
type FillName = keyof typeof FILLS

/** Consolidated profiles of many followers and of many posts, against one with few of both. */
export async function measure(): Promise<Report> {
  const site = await meydan.start()
  try {
    const { signedIn } = await site.signInGuest()
    for (const [username, fill] of Object.entries(FILLS))
      site.writeDatabase((db) => fillProfile(db, { username, ...fill }))
    const lookUp = (name: FillName) => () => measureLookups(site, signedIn.token, name)
    const runs = { small: lookUp('small'), followed: lookUp('followed'), posting: lookUp('posting') }
    // Fills caches and lets the compiler see every path.
    for (const run of Object.values(runs)) await run()
    const { small, followed, posting } = await interleave(ROUNDS, runs)
    const count = (size: number) => size.toLocaleString('en')
    const goal = { atMost: MAX_GROWTH }
    return {
      figures: [
        compareFigure(`profile with ${count(FILLS.followed.followers)} followers`, 'CPU ms', followed, small, goal),
        compareFigure(`profile with ${count(FILLS.posting.posts)} posts`, 'CPU ms', posting, small, goal),
      ],
      notes: [`The peer is a profile with ${SMALL} followers and ${SMALL} posts, which fill the answer's pages too.`],
    }
  } finally {
    await site.stop()
  }
}

/** CPU milliseconds of the server for one lookup of many. */
async function measureLookups(site: RunningMeydan, token: string, name: FillName): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const url = `${site.server.origin}/api/users/profile-consolidated/${name}`
  const before = await site.server.cpuSeconds()
  let started = 0
  const runOn = async (): Promise<void> => {
    while (started++ < LOOKUPS) assertComplete(await (await fetch(url, { headers })).json(), FILLS[name])
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, runOn))
  return (((await site.server.cpuSeconds()) - before) * 1_000) / LOOKUPS
}

function assertComplete(answer: unknown, fill: Omit<ProfileFill, 'username'>): void {
  const { stats, posts } = answer as Partial<ConsolidatedProfile> // the schema of the route
  const isComplete = stats?.followerCount === fill.followers && posts?.length === Math.min(fill.posts, SMALL)
  if (!isComplete) throw new Error(`an incomplete profile: ${JSON.stringify(answer).slice(0, 200)}`)
}
