import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { LoggedEventName } from '../../../shared/protocol/catalogue.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Command } from '../../kernel/database/commands/define-command.ts'
import { loadMigrations } from '../../kernel/database/migrate.ts'
import type { Claims } from '../../kernel/database/transaction.ts'
import { listMessages, PUBLIC_VIEWER } from '../../model/conversations/room-messages.ts'
import { sendMessage } from '../../model/conversations/send-to-room.ts'
import { getOwnSanctions } from '../../model/moderation/queries.ts'
import { createTemporaryFolder } from '../../testing/fixtures/test-database.ts'
import { SeededRandom } from '../../testing/simulation/seeded-random.ts'
import { SimulatedClock } from '../../testing/simulation/simulated-clock.ts'
import { SimulatedCluster } from '../../testing/simulation/simulated-cluster.ts'
import { makeRootAdmin } from '../accounts/roles/make-root-admin.ts'
import { openGuestSession } from '../accounts/sign-in/open-guest-session.ts'
import { openMemberSession } from '../accounts/sign-in/open-member-session.ts'
import { muteUser } from './mute-user.ts'
import { removeMessage } from './remove-message.ts'
import { warnUser } from './warn-user.ts'

// Real threads load modules, and simulated time does not wait for them.
vi.mock(import('../../kernel/database/migrate.ts'), async (original) => {
  const real = await original()
  const loaded = await real.loadMigrations()
  return { ...real, loadMigrations: () => Promise.resolve(loaded) }
})

const PRIMARY = 'ankara'
const REPLICA = 'berlin'
const ROOM_ID = 1
const SOON_MS = 10_000

const folder = createTemporaryFolder()
let clock: SimulatedClock
let cluster: SimulatedCluster

beforeAll(async () => {
  const random = new SeededRandom(7)
  const migrations = await loadMigrations()
  clock = new SimulatedClock(random.fork())
  const options = { lease: 'static', maxClockSkewMs: 0, regions: [PRIMARY, REPLICA] } as const
  cluster = new SimulatedCluster({
    ...options,
    regions: [...options.regions],
    clock,
    random: random.fork(),
    folder: folder.path,
    migrations,
  })
  for (const name of options.regions) cluster.startRegion(name)
  await clock.advanceUntil('every region is ready', () => cluster.listUnsettled().length === 0, 60_000)
})
afterAll(async () => {
  await cluster.close()
  clock.restoreRealTime()
  folder.remove()
})

function contextOf(name: string) {
  return cluster.process(name)?.region?.appContext ?? expect.unreachable(`${name} does not run`)
}

/** Runs a write in a region and waits for its answer. */
function run<I extends object, A extends object>(
  region: string,
  write: Command<I, A>,
  actor: Claims | null,
  input: NoInfer<I>,
): Promise<A | Refusal> {
  return clock.advanceUntilSettled(write.name, contextOf(region).execute(write, actor, input))
}
async function succeed<I extends object, A extends object>(...args: Parameters<typeof run<I, A>>): Promise<A> {
  const answer = await run(...args)
  return answer instanceof Refusal ? expect.unreachable(answer.body.code) : answer
}

/** The payloads of these events that a region publishes from now on. */
function collect(region: string, ...names: LoggedEventName[]): object[] {
  const collected: object[] = []
  for (const name of names)
    contextOf(region).publisher.on(name, ({ payload }) => void collected.push({ name, ...payload }))
  return collected
}

it('[SANCTION-19] applies what is done in one region in the other: events, refusals and what is read', async () => {
  const passwordHash = 'none'
  const root = await succeed(PRIMARY, makeRootAdmin, null, { username: 'kök', passwordHash })
  const signIn = { userId: root.userId, passwordHash, platform: 'web' } as const
  const admin = await succeed(REPLICA, openMemberSession, null, signIn)
  const guestInput = { username: 'konuk', gender: null, platform: 'web' } as const
  const guest = await succeed(PRIMARY, openGuestSession, null, guestInput)
  const say = (region: string, content: string) =>
    run(region, sendMessage, guest, { roomId: ROOM_ID, content, clientId: crypto.randomUUID(), inRoomForMs: 60_000 })
  const sent = await say(PRIMARY, 'Kaba söz')
  const id = 'id' in sent && sent.id ? sent.id : expect.unreachable(JSON.stringify(sent))

  const events = collect(PRIMARY, 'newWarning', 'ownMuteChanged', 'messageRemoved')
  await succeed(REPLICA, warnUser, admin, { username: 'konuk', text: 'Kurallara uy.' })
  const terms = { username: 'konuk', roomId: null, duration: '1hr', reason: 'Hakaret' } as const
  await succeed(REPLICA, muteUser, admin, terms)
  await succeed(REPLICA, removeMessage, admin, { messageId: id })
  await clock.advanceUntil('the other region has the events', () => events.length === 3, SOON_MS)
  expect(events.map((event) => ('name' in event ? event.name : null))).toEqual([
    'newWarning',
    'ownMuteChanged',
    'messageRemoved',
  ])

  await clock.advanceUntil('the regions are in sync', () => cluster.litefs.isInSync(), SOON_MS)
  for (const region of [PRIMARY, REPLICA]) {
    expect(await say(region, 'Yine ben')).toMatchObject({ body: { code: 'Muted' } })
    const { reader, clock: now } = contextOf(region)
    const page = listMessages(reader, PUBLIC_VIEWER, { roomId: ROOM_ID, id: id + 1, side: 'before' })
    expect(page.messages).toMatchObject([{ id, content: '', isRemoved: true }])
    expect(getOwnSanctions(reader, guest.userId, now())).toMatchObject({
      warnings: [{ text: 'Kurallara uy.' }],
      mutes: [{ roomId: null, reason: 'Hakaret' }],
    })
  }
})
