import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Claims } from '../../kernel/database/transaction.ts'

// Real threads load modules, and simulated time does not wait for them.
vi.mock(import('../../kernel/database/migrate.ts'), async (original) => {
  const real = await original()
  const loaded = await real.loadMigrations()
  return { ...real, loadMigrations: () => Promise.resolve(loaded) }
})

import type { ActionId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { loadMigrations } from '../../kernel/database/migrate.ts'
import { createTemporaryFolder } from '../../testing/fixtures/test-database.ts'
import { SeededRandom } from '../../testing/simulation/seeded-random.ts'
import { SimulatedClock } from '../../testing/simulation/simulated-clock.ts'
import { SimulatedCluster } from '../../testing/simulation/simulated-cluster.ts'
import { makeRootAdmin } from '../accounts/roles/make-root-admin.ts'
import { openGuestSession } from '../accounts/sign-in/open-guest-session.ts'
import { openMemberSession } from '../accounts/sign-in/open-member-session.ts'
import { banUser } from '../moderation/ban-user.ts'
import { listActions } from './list-actions.ts'

const REGIONS = ['ankara', 'berlin']
const WAIT_MS = 60_000
const folder = createTemporaryFolder()

let clock: SimulatedClock
let cluster: SimulatedCluster
beforeAll(async () => {
  const random = new SeededRandom(1)
  clock = new SimulatedClock(random.fork())
  const options = { regions: REGIONS, lease: 'static', maxClockSkewMs: 0, clock, folder: folder.path } as const
  cluster = new SimulatedCluster({ ...options, random: random.fork(), migrations: await loadMigrations() })
  for (const name of REGIONS) cluster.startRegion(name)
  await clock.advanceUntil('every region is ready', () => cluster.listUnsettled().length === 0, WAIT_MS)
})
afterAll(async () => {
  await cluster.close()
  clock.restoreRealTime()
  folder.remove()
})

const contextOf = (name: string): AppContext =>
  cluster.process(name)?.region?.appContext ?? expect.unreachable(`${name} does not run`)

async function settle<A extends object>(name: string, answer: Promise<A | Refusal>): Promise<A> {
  const settled = await clock.advanceUntilSettled(name, answer)
  return settled instanceof Refusal ? expect.unreachable(settled.body.code) : settled
}

async function signInAsRootAdmin(region: string): Promise<Claims> {
  const passwordHash = 'none'
  const made = contextOf('ankara').execute(makeRootAdmin, null, { username: 'Başkan', passwordHash })
  const { userId } = await settle('the new root admin', made)
  const session = { userId, passwordHash, platform: 'web' } as const
  const { sessionId } = await settle('the sign-in', contextOf(region).execute(openMemberSession, null, session))
  return { userId, sessionId }
}

it('[AUDIT-09] an action in one region is in the log of every region, and announced there once', async () => {
  const admin = await signInAsRootAdmin('berlin')
  const guest = { username: 'Kaba', gender: null, platform: 'web' } as const
  await settle('the guest', contextOf('berlin').execute(openGuestSession, null, guest))
  const announced = new Map<string, ActionId[]>(REGIONS.map((name) => [name, []]))
  for (const name of REGIONS)
    contextOf(name).publisher.on('actionRecorded', ({ payload }) => announced.get(name)?.push(payload.actionId))

  const terms = { username: 'Kaba', duration: 'indefinite', banReason: 'Diğer' } as const
  // It comes to the primary over the link, and back with the replicated database.
  await settle('the ban', contextOf('berlin').execute(banUser, admin, terms))
  const isEverywhere = () => [...announced.values()].every((ids) => ids.length > 0)
  await clock.advanceUntil('the announcements', isEverywhere, WAIT_MS)

  const [first, second] = REGIONS.map((name) => listActions(contextOf(name).reader, { kind: 'siteBan' }).actions)
  expect(first).toMatchObject([
    { kind: 'siteBan', actor: { username: 'Başkan' }, target: { username: 'Kaba' }, reason: 'Diğer', endsAt: null },
  ])
  expect(second).toEqual(first)
  const ids = first?.map(({ id }) => id)
  expect([...announced.values()]).toEqual([ids, ids])
})
