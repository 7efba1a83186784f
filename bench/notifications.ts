import type { Notification } from '../src/shared/notifications/notification.ts'
import { fillNotifications } from './measure/fill-notifications.ts'
import { compareFigure, type Report } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { type MeydanClient, meydan, type RunningMeydan } from './subjects/meydan.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const LISTS = 1_000
const MENTIONS = 1_000
const IN_FLIGHT = 8
const MAX_GROWTH = 1.2
/** A full page, so that both answers are as long. */
const SMALL = 20
const LARGE = 10_000

interface FilledUser {
  token: string
  username: string
}

/** The list of a user with many unread notifications, and mentions of that user, against one with few. */
export async function measure(): Promise<Report> {
  const site = await meydan.start()
  try {
    const [connect] = await site.prepareClients(1)
    const sender = await connect?.()
    if (!sender) throw new Error('nobody is there who mentions anybody')
    // The sender owns it, so chat limits do not apply.
    await site.openRoom([sender])
    const few = await fillUser(site, sender, SMALL)
    const many = await fillUser(site, sender, LARGE)
    const runs = {
      manyList: () => measureLists(site, many),
      fewList: () => measureLists(site, few),
      manyMentions: () => measureMentions(site, sender, many),
      fewMentions: () => measureMentions(site, sender, few),
    }
    // Fills caches and lets the compiler see every path.
    for (const run of Object.values(runs)) await run()
    const { manyList, fewList, manyMentions, fewMentions } = await interleave(ROUNDS, runs)
    const goal = { atMost: MAX_GROWTH }
    const count = LARGE.toLocaleString('en')
    return {
      figures: [
        compareFigure(`page of ${count} notifications`, 'CPU ms', manyList, fewList, goal),
        compareFigure(`mention of a user with ${count} unread`, 'CPU ms', manyMentions, fewMentions, goal),
      ],
      notes: [
        `The peer has ${SMALL} notifications, which fill a page, and gathers mentions while it is measured: each round sends ${MENTIONS}.`,
        'A user keeps 500 notifications in a tab; the others are written into the database. A mention of a user with more also deletes the oldest.',
      ],
    }
  } finally {
    await site.stop()
  }
}

async function fillUser(site: RunningMeydan, sender: MeydanClient, count: number): Promise<FilledUser> {
  const { signedIn } = await site.signInGuest()
  const { id: recipientId, username } = signedIn.user
  site.writeDatabase((db) => fillNotifications(db, { recipientId, senderId: sender.userId, count }))
  return { token: signedIn.token, username }
}

/** CPU milliseconds of the server for one page of many. */
async function measureLists(site: RunningMeydan, { token }: FilledUser): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const url = `${site.server.origin}/api/notifications?tab=mention`
  return measureCpu(site, LISTS, async () => {
    const answer = (await (await fetch(url, { headers })).json()) as { notifications?: Notification[] } // the route's schema
    if (answer.notifications?.length !== SMALL) throw new Error(`an incomplete page: ${JSON.stringify(answer)}`)
  })
}

/** CPU milliseconds of the server for a message that mentions the user. */
function measureMentions(site: RunningMeydan, sender: MeydanClient, { username }: FilledUser): Promise<number> {
  return measureCpu(site, MENTIONS, () => sender.sendMessage(`@[${username}] selam`))
}

async function measureCpu(site: RunningMeydan, times: number, run: () => Promise<unknown>): Promise<number> {
  const before = await site.server.cpuSeconds()
  let started = 0
  const runOn = async (): Promise<void> => {
    while (started++ < times) await run()
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, runOn))
  return (((await site.server.cpuSeconds()) - before) * 1_000) / times
}
