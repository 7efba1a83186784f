import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { SignedIn } from '../src/shared/accounts/protocol.ts'
import { decodeServerFrame, Kind } from '../src/shared/protocol/frame.ts'
import { fillPosts } from './measure/fill-posts.ts'
import { compareFigure, type Report, standaloneFigure } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { type MeydanClient, meydan, type RunningMeydan } from './subjects/meydan.ts'
import { connectAll } from './subjects/subject.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const WATCHERS = 1_000
/** Events of one round, and the time between them. */
const EVENTS = 40
const INTERVAL_MS = 100

/** A post that 1,000 people watch: how soon all have a like, and what it costs the server beside a message of a room. */
export async function measure(): Promise<Report> {
  const site = await meydan.start()
  try {
    // prepareClients of Meydan returns Meydan clients.
    const watchers = (await connectAll(await site.prepareClients(WATCHERS))) as MeydanClient[]
    const { signedIn } = await site.signInGuest()
    const sender = await site.connect(signedIn)
    await site.openRoom([sender, ...watchers])
    const postId = await openPost(site, signedIn, watchers)
    const like = (turn: number) => sendLike(site, signedIn, postId, turn)
    const send = () => sender.sendMessage('Bugün hava güzel, sahilde yürüyüş yaptık ve çay içtik')
    const runs = {
      likes: () => broadcast(site, watchers, 'postCountsChanged', like),
      messages: () => broadcast(site, watchers, 'message', send),
    }
    for (const run of Object.values(runs)) await run()
    return toReport(await interleave(ROUNDS, runs))
  } finally {
    await site.stop()
  }
}

/** Fills a post that all watch; the guest becomes a member, because guests like nothing. */
async function openPost(site: RunningMeydan, { user }: SignedIn, watchers: MeydanClient[]): Promise<number> {
  let filled: { userId: number; postId: number } | undefined
  site.writeDatabase((db) => {
    filled = fillPosts(db, { username: 'paylasan', posts: 1, reactions: 10 })
    db.prepare(`update user set isGuest = 0, role = 'member' where id = ?`).run(user.id)
  })
  if (!filled) throw new Error('no post was filled')
  for (const watcher of watchers) await watcher.watchPosts(filled.userId)
  return filled.postId
}

/** Likes and takes the like back in turns. */
async function sendLike(site: RunningMeydan, { token }: SignedIn, postId: number, turn: number): Promise<void> {
  const response = await fetch(`${site.server.origin}/api/posts/like/${postId}`, {
    method: turn % 2 ? 'DELETE' : 'POST',
    headers: { authorization: `Bearer ${token}`, origin: site.server.origin, 'idempotency-key': randomUUID() },
  })
  if (!response.ok) throw new Error(`a like was answered with ${response.status}`)
}

interface Broadcast {
  /** Milliseconds until the last watcher had an event, each. */
  lastMs: number[]
  deliveriesPerCpuSecond: number
}

/** Sends events one after another, each when all have the one before, at most ten a second. */
async function broadcast(
  site: RunningMeydan,
  watchers: MeydanClient[],
  name: string,
  send: (turn: number) => Promise<void>,
): Promise<Broadcast> {
  let received = 0
  let onAll = () => {}
  for (const watcher of watchers) {
    watcher.onPayload = (payload) => {
      received += decodeServerFrame(payload).filter((value) => value[0] === Kind.event && value[2] === name).length
      if (received >= watchers.length) onAll()
    }
  }
  const before = await site.server.cpuSeconds()
  const lastMs: number[] = []
  for (let turn = 0; turn < EVENTS; turn++) {
    received = 0
    const startedAt = performance.now()
    const { promise, resolve } = Promise.withResolvers<void>()
    onAll = resolve
    await Promise.all([send(turn), promise])
    lastMs.push(performance.now() - startedAt)
    await pause(Math.max(0, INTERVAL_MS - (performance.now() - startedAt)))
  }
  const cpuSeconds = (await site.server.cpuSeconds()) - before
  return { lastMs, deliveriesPerCpuSecond: (EVENTS * watchers.length) / cpuSeconds }
}

function toReport({ likes, messages }: Record<'likes' | 'messages', Broadcast[]>): Report {
  const perCpuSecond = (rounds: Broadcast[]) => rounds.map((round) => round.deliveriesPerCpuSecond)
  const people = WATCHERS.toLocaleString('en')
  return {
    figures: [
      compareFigure(
        `a like seen by ${people}, against a message of a room`,
        'deliveries per server CPU second',
        perCpuSecond(likes),
        perCpuSecond(messages),
        { atLeast: 0.8 },
      ),
      standaloneFigure(
        `all ${people} have a like`,
        'ms',
        likes.flatMap(({ lastMs }) => lastMs),
        { atMost: 100 },
      ),
    ],
    notes: [
      `One event at a time, at most ${1_000 / INTERVAL_MS} a second. A like is an HTTP request with its own answer; the message comes over the socket.`,
    ],
  }
}
