import { compareFigure, type Report } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { type MeydanClient, meydan, type RunningMeydan } from './subjects/meydan.ts'
import { connectAll } from './subjects/subject.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const NEWCOMERS = 100
const TRIES_PER_SECOND = 1_000
const SECONDS = 3
const MAX_RATIO = 2

/** Entering a full room 1,000 times a second, against a command that is refused before it reads anything. */
export async function measure(): Promise<Report> {
  const site = await meydan.start()
  try {
    const clients = (await connectAll(await site.prepareClients(NEWCOMERS + 1))) as MeydanClient[] // of this subject
    const [first, ...newcomers] = clients
    if (!first) throw new Error('nobody is in the room')
    const roomId = await site.openRoom([first])
    site.writeDatabase((db) => db.prepare('update room set capacity = 1 where id = ?').run(roomId))
    const runs = {
      full: () => measureTries(site, newcomers, (client) => client.joinRoom(roomId)),
      plain: () => measureTries(site, newcomers, (client) => client.getStatus(roomId)),
    }
    // Lets the compiler see every path.
    for (const run of Object.values(runs)) await run()
    const { full, plain } = await interleave(ROUNDS, runs)
    const goal = { atMost: MAX_RATIO }
    return {
      figures: [compareFigure('entering a full room', 'CPU µs a try', full, plain, goal)],
      notes: [
        `${NEWCOMERS} people try ${TRIES_PER_SECOND.toLocaleString('en')} times a second for ${SECONDS} s. The peer is getStatus of that room, refused with NotInRoom.`,
      ],
    }
  } finally {
    await site.stop()
  }
}

/** CPU microseconds of the server for one of many refused tries, which are sent in even batches. */
async function measureTries(
  site: RunningMeydan,
  clients: readonly MeydanClient[],
  attempt: (client: MeydanClient) => Promise<void>,
): Promise<number> {
  const batches = (TRIES_PER_SECOND * SECONDS) / clients.length
  const batchMs = (1_000 * clients.length) / TRIES_PER_SECOND
  const before = await site.server.cpuSeconds()
  for (let batch = 0; batch < batches; batch++) {
    const startedAt = performance.now()
    await Promise.all(clients.map((client) => expectRefusal(attempt(client))))
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, batchMs - (performance.now() - startedAt))))
  }
  const tries = batches * clients.length
  return (((await site.server.cpuSeconds()) - before) * 1_000_000) / tries
}

async function expectRefusal(attempt: Promise<void>): Promise<void> {
  const isRefused = await attempt.then(
    () => false,
    () => true,
  )
  if (!isRefused) throw new Error('a try was not refused')
}
