import type { SignedIn } from '../src/shared/accounts/protocol.ts'
import { numberedText } from './measure/deliveries.ts'
import { fillConversations } from './measure/fill-conversations.ts'
import { compareFigure, type Report } from './measure/report.ts'
import { interleave, summarise } from './measure/statistics.ts'
import { type MeydanClient, meydan, type NamedUser, type RunningMeydan } from './subjects/meydan.ts'
import { connectAll } from './subjects/subject.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = 3
const BYTES = 180
/** Pairs of a sender and a connected recipient, each with one message in flight. */
const PAIRS = 32
const OPENINGS = 1_000
const LISTS = 500
const IN_FLIGHT = 8
const SMALL = { messages: 100, conversations: 30 }
const LARGE = { messages: 100_000, conversations: 5_000 }
const MAX_GROWTH = 1.2

/** A user with conversations that are filled. */
interface FilledUser {
  signedIn: SignedIn
  client: MeydanClient
  /** The other user of a conversation. */
  other: NamedUser
}

/** Opening conversations and lists, small against large; and answered messages against those of rooms, per CPU second. */
export async function measure(): Promise<Report> {
  const site = await meydan.start()
  try {
    const users = {
      shortConversation: await fillUser(site, { conversations: 1, messages: SMALL.messages }),
      longConversation: await fillUser(site, { conversations: 1, messages: LARGE.messages }),
      shortList: await fillUser(site, { conversations: SMALL.conversations, messages: SMALL.conversations }),
      longList: await fillUser(site, { conversations: LARGE.conversations, messages: LARGE.conversations }),
    }
    const pairs = await connectPairs(site)
    const runs = {
      shortConversation: () => openConversations(site, users.shortConversation),
      longConversation: () => openConversations(site, users.longConversation),
      shortList: () => fetchLists(site, users.shortList),
      longList: () => fetchLists(site, users.longList),
      room: () => sendFor(site, pairs, ([sender], content) => sender.sendMessage(content)),
      direct: () =>
        sendFor(site, pairs, ([sender, recipient], content) => sender.sendDirectMessage(recipient, content)),
    }
    // Fills caches and lets the compiler see every path.
    for (const run of Object.values(runs)) await run()
    return toReport(await interleave(ROUNDS, runs))
  } finally {
    await site.stop()
  }
}

async function fillUser(site: RunningMeydan, size: { conversations: number; messages: number }): Promise<FilledUser> {
  const { signedIn } = await site.signInGuest()
  let other: FilledUser['other'] | undefined
  site.writeDatabase((db) => {
    other = fillConversations(db, { ownerId: signedIn.user.id, ...size })
  })
  if (!other) throw new Error('no conversation was filled')
  return { signedIn, other, client: await site.connect(signedIn) }
}

type Pair = readonly [sender: MeydanClient, recipient: MeydanClient]

/** Each pair is alone in a room, whose chat limits do not apply to the sender. */
async function connectPairs(site: RunningMeydan): Promise<Pair[]> {
  // prepareClients of Meydan returns Meydan clients.
  const clients = (await connectAll(await site.prepareClients(PAIRS * 2))) as MeydanClient[]
  const pairs: Pair[] = []
  for (const [index, sender] of clients.slice(0, PAIRS).entries()) {
    const recipient = clients[PAIRS + index]
    if (!recipient) throw new Error('a pair has no recipient')
    await site.openRoom([sender, recipient])
    pairs.push([sender, recipient])
  }
  return pairs
}

/** CPU milliseconds of the server for one operation of many. */
async function measureCpu(site: RunningMeydan, times: number, run: () => Promise<void>): Promise<number> {
  const before = await site.server.cpuSeconds()
  let started = 0
  const runOn = async (): Promise<void> => {
    while (started++ < times) await run()
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, runOn))
  return (((await site.server.cpuSeconds()) - before) * 1_000) / times
}

function openConversations(site: RunningMeydan, { client, other }: FilledUser): Promise<number> {
  return measureCpu(site, OPENINGS, () => client.openConversation(other))
}

function fetchLists(site: RunningMeydan, { signedIn }: FilledUser): Promise<number> {
  const headers = { authorization: `Bearer ${signedIn.token}` }
  return measureCpu(site, LISTS, async () => {
    const answer = await fetch(`${site.server.origin}/api/dm/userconversations`, { headers })
    const { conversations } = (await answer.json()) as { conversations?: object[] } // the contract of the route
    if (conversations?.length !== SMALL.conversations) throw new Error(`the list answered ${answer.status}`)
  })
}

interface Throughput {
  perSecond: number
  perCpuSecond: number
}

/** A closed loop: every sender sends its next message when the last one is answered. */
async function sendFor(
  site: RunningMeydan,
  pairs: Pair[],
  send: (pair: Pair, content: string) => Promise<void>,
): Promise<Throughput> {
  const cpuBefore = await site.server.cpuSeconds()
  const startedAt = performance.now()
  const deadline = startedAt + SECONDS * 1_000
  let answered = 0
  const sendOn = async (pair: Pair): Promise<void> => {
    while (performance.now() < deadline) await send(pair, numberedText(answered++, BYTES))
  }
  await Promise.all(pairs.map(sendOn))
  const elapsedSeconds = (performance.now() - startedAt) / 1_000
  return {
    perSecond: answered / elapsedSeconds,
    perCpuSecond: answered / ((await site.server.cpuSeconds()) - cpuBefore),
  }
}

type CostName = 'shortConversation' | 'longConversation' | 'shortList' | 'longList'
type Rounds = Record<CostName, number[]> & Record<'room' | 'direct', Throughput[]>

function toReport({ room, direct, ...costs }: Rounds): Report {
  const perSecond = (rounds: Throughput[]) => rounds.map((each) => each.perSecond)
  const perCpuSecond = (rounds: Throughput[]) => rounds.map((each) => each.perCpuSecond)
  const { longConversation, shortConversation, longList, shortList } = costs
  const count = (size: number) => size.toLocaleString('en')
  const goal = { atMost: MAX_GROWTH }
  return {
    figures: [
      compareFigure(
        `opening one of ${count(LARGE.messages)} messages`,
        'CPU ms',
        longConversation,
        shortConversation,
        goal,
      ),
      compareFigure(`list of ${count(LARGE.conversations)} conversations`, 'CPU ms', longList, shortList, goal),
      compareFigure('against messages of rooms', 'messages per CPU second', perCpuSecond(direct), perCpuSecond(room), {
        atLeast: 0.9,
      }),
      compareFigure('against messages of rooms', 'messages/s', perSecond(direct), perSecond(room)),
    ],
    notes: [
      `The peers are a conversation of ${SMALL.messages} messages, a list of ${SMALL.conversations} conversations, and rooms of two.`,
      `${PAIRS} senders with one message in flight, each to one connected user, who receives it; median of ${Math.round(summarise(perSecond(direct)).median)} direct messages a second.`,
    ],
  }
}
