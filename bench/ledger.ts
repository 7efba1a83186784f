import { randomUUID } from 'node:crypto'
import type { SignedIn } from '../src/shared/accounts/protocol.ts'
import { numberedText } from './measure/deliveries.ts'
import { fillStatement } from './measure/fill-statement.ts'
import { compareFigure, type Report } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { type MeydanClient, meydan, type RunningMeydan } from './subjects/meydan.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const PEOPLE = 64
const SECONDS = 2
const BYTES = 180
const GIFT_KIND = 1
const PAGES = 1_000
const IN_FLIGHT = 8
const SMALL = 100
const LARGE = 1_000_000
const MAX_GROWTH = 1.2
/** Of each member, who pays one kuruş for a purchase and two for a gift. */
const START_KURUS = 2_000

interface Throughput {
  perSecond: number
  perCpuSecond: number
}

/** Gifts and purchases through the ledger beside room messages, and pages of a long statement against those of a short one. */
export async function measure(): Promise<Report> {
  // Two sites: a purchase tells every connection that its buyer is premium.
  const [shop, chat] = [await meydan.start(), await meydan.start()]
  try {
    const buyers = await createMembers(shop, PEOPLE)
    const [long, short] = await createMembers(shop, 2)
    const people = await createMembers(chat, PEOPLE)
    if (!long || !short) throw new Error('there are two members')
    shop.writeDatabase((db) => {
      for (const { user } of buyers) fillStatement(db, { userId: user.id, count: START_KURUS })
      fillStatement(db, { userId: long.user.id, count: LARGE })
      fillStatement(db, { userId: short.user.id, count: SMALL })
      db.prepare('update premiumTerms set priceKurus = 1').run()
    })
    chat.writeDatabase((db) => {
      for (const { user } of people) fillStatement(db, { userId: user.id, count: START_KURUS })
      db.prepare('update giftKind set priceKurus = 2 where id = ?').run(GIFT_KIND)
    })
    const senders = await Promise.all(people.map((person) => chat.connect(person)))
    for (const sender of senders) await chat.openRoom([sender])
    const nextOf = (sender: MeydanClient) => senders[(senders.indexOf(sender) + 1) % PEOPLE] ?? sender
    const runs = {
      gifts: () => measureThroughput(chat, senders, (sender) => sender.sendGift(GIFT_KIND, nextOf(sender))),
      purchases: () => measureThroughput(shop, buyers, (buyer) => buyPremium(shop, buyer)),
      messages: () => measureThroughput(chat, senders, (sender) => sender.sendMessage(numberedText(0, BYTES))),
      longPages: () => measurePages(shop, long),
      shortPages: () => measurePages(shop, short),
    }
    // Fills caches and lets the compiler see every path.
    for (const run of Object.values(runs)) await run()
    return toReport(await interleave(ROUNDS, runs))
  } finally {
    await shop.stop()
    await chat.stop()
  }
}

interface Rounds {
  gifts: Throughput[]
  purchases: Throughput[]
  messages: Throughput[]
  longPages: number[]
  shortPages: number[]
}

function toReport({ gifts, purchases, messages, longPages, shortPages }: Rounds): Report {
  const rates = (rounds: Throughput[]) => rounds.map(({ perSecond }) => perSecond)
  const cpuRates = (rounds: Throughput[]) => rounds.map(({ perCpuSecond }) => perCpuSecond)
  const growth = `page of a statement of ${LARGE.toLocaleString('en')} rows`
  return {
    figures: [
      compareFigure('gifts against room messages', 'per second', rates(gifts), rates(messages)),
      compareFigure('gifts against room messages', 'per CPU second', cpuRates(gifts), cpuRates(messages)),
      compareFigure('purchases against room messages', 'per second', rates(purchases), rates(messages)),
      compareFigure('purchases against room messages', 'per CPU second', cpuRates(purchases), cpuRates(messages)),
      compareFigure(growth, 'CPU ms', longPages, shortPages, { atMost: MAX_GROWTH }),
    ],
    notes: [
      `${PEOPLE} members with one operation in flight each, synchronous = FULL. Messages and gifts come over their sockets, and a gift emits four events; purchases of premium come over HTTP.`,
      `The pages of a statement are spread over all of it; the peer has ${SMALL} rows.`,
    ],
  }
}

/** Guests who are made members in the database: a sign-up takes a tenth of a second of CPU for its password. */
async function createMembers(site: RunningMeydan, count: number): Promise<SignedIn[]> {
  const members: SignedIn[] = []
  while (members.length < count) members.push((await site.signInGuest()).signedIn)
  site.writeDatabase((db) => {
    const update = db.prepare("update user set isGuest = 0, role = 'member' where id = ?")
    for (const { user } of members) update.run(user.id)
  })
  return members
}

/** A closed loop: everyone starts the next operation when the last one is answered. */
async function measureThroughput<P>(
  { server }: RunningMeydan,
  people: readonly P[],
  run: (person: P) => Promise<void>,
): Promise<Throughput> {
  const cpuBefore = await server.cpuSeconds()
  const startedAt = performance.now()
  let count = 0
  const runOn = async (person: P): Promise<void> => {
    while (performance.now() - startedAt < SECONDS * 1000) {
      await run(person)
      count++
    }
  }
  await Promise.all(people.map(runOn))
  const seconds = (performance.now() - startedAt) / 1000
  return { perSecond: count / seconds, perCpuSecond: count / ((await server.cpuSeconds()) - cpuBefore) }
}

async function buyPremium({ server: { origin } }: RunningMeydan, { token }: SignedIn): Promise<void> {
  const headers = { origin, authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
  const answer = await send(`${origin}/api/users/upgrade-to-premium`, { method: 'POST', headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`a purchase was refused: ${text}`)
}

/** CPU milliseconds of the server for a page, from places all over the statement. */
async function measurePages({ server }: RunningMeydan, member: SignedIn): Promise<number> {
  const { first, last } = await readBounds(server.origin, member)
  const before = await server.cpuSeconds()
  let started = 0
  const runOn = async (): Promise<void> => {
    for (let page = started++; page < PAGES; page = started++) {
      const place = (page * 0.618_033_988) % 1
      await fetchStatement(server.origin, member, `?before=${Math.ceil(first + 40 + (last - first - 40) * place)}`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, runOn))
  return (((await server.cpuSeconds()) - before) * 1_000) / PAGES
}

interface StatementAnswer {
  rows: { id: number; balance: number }[]
}

/** The ids of the first and the last row: each row adds one kuruş, and ids have no gaps. */
async function readBounds(origin: string, member: SignedIn): Promise<{ first: number; last: number }> {
  const [latest] = (await fetchStatement(origin, member, '')).rows
  if (!latest) throw new Error('the statement is empty')
  return { first: latest.id - Math.round(latest.balance * 100) + 1, last: latest.id }
}

async function fetchStatement(origin: string, { token }: SignedIn, query: string): Promise<StatementAnswer> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await send(`${origin}/api/users/balance/statement${query}`, { headers })
  const page = (await answer.json()) as StatementAnswer // the route's schema
  if (page.rows?.length !== 30) throw new Error(`an incomplete page: ${JSON.stringify(page).slice(0, 200)}`)
  return page
}

/** A request, again when the server has just closed the connection: it was idle between two rounds. */
function send(url: string, options: RequestInit): Promise<Response> {
  return fetch(url, options).catch(() => fetch(url, options))
}
