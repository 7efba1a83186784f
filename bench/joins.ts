import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { compareFigure, type Figure, type Report } from './measure/report.ts'
import { RoomCountReader } from './measure/room-count-reader.ts'
import { interleave } from './measure/statistics.ts'
import { meydan } from './subjects/meydan.ts'
import { socketIo, socketIoCoalesced } from './subjects/socket-io.ts'
import { type BenchClient, type BenchSubject, connectAll, type RunningSubject } from './subjects/subject.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
/** Frames that announce each join grow with the square of this: 1,000 make 1.5 million a round. */
const BYSTANDER_COUNT = Number(process.env.BENCH_PEOPLE ?? 400)
const JOINER_COUNT = BYSTANDER_COUNT
const WITHIN_MS = 1_000
/** A bystander without the right count after this time counts as inconsistent. */
const COUNT_TIMEOUT_MS = 60_000
/** Coalesced presence events of the previous room are sent within this time. */
const COALESCE_WAIT_MS = 2_500

interface JoinGroups {
  site: RunningSubject
  bystanders: BenchClient[]
  joiners: BenchClient[]
}

interface JoinResult {
  cpuSeconds: number
  frames: number
  megabytes: number
  p50Ms: number
  p99Ms: number
  /** From the first join until the last bystander has the right count of users in the room. */
  consistentMs: number
  /** Bystanders that did not get the right count within the time-out. */
  inconsistentCount: number
}

/** 400 users join a room of 400 within one second. */
export async function measure(): Promise<Report> {
  const subjects = { ours: meydan, socketIo, coalesced: socketIoCoalesced }
  const groups = new Map<string, JoinGroups>()
  try {
    for (const [name, subject] of Object.entries(subjects)) groups.set(name, await connectGroups(subject))
    const runRound = (name: string) => () => measureJoins(groups.get(name) as JoinGroups) // filled above for every name
    const joined = await interleave(ROUNDS, {
      ours: runRound('ours'),
      socketIo: runRound('socketIo'),
      coalesced: runRound('coalesced'),
    })
    return {
      figures: [
        ...compareAll('socket.io 4.8 that announces each', joined.ours, joined.socketIo),
        ...compareAll('socket.io 4.8, coalesced', joined.ours, joined.coalesced),
      ],
      notes: [
        `${JOINER_COUNT} join a room of ${BYSTANDER_COUNT} within a second; CPU of the server's process until every bystander's count is right and ${COALESCE_WAIT_MS} ms more. Frames and bytes are the sum over all ${BYSTANDER_COUNT + JOINER_COUNT}.`,
        'Ours reads the room and sends its last messages in each join; the peers persist nothing. The coalescing peer uses the same rules as ours.',
        ...Object.entries(joined).map(
          ([name, rounds]) =>
            `${name}: ${rounds.reduce((sum, { inconsistentCount }) => sum + inconsistentCount, 0)} bystanders never got the right count`,
        ),
      ],
    }
  } finally {
    for (const { site, bystanders, joiners } of groups.values()) {
      for (const client of [...bystanders, ...joiners]) client.close()
      await site.stop()
    }
  }
}

async function connectGroups(subject: BenchSubject): Promise<JoinGroups> {
  const site = await subject.start()
  const clients = await connectAll(await site.prepareClients(BYSTANDER_COUNT + JOINER_COUNT))
  return { site, bystanders: clients.slice(0, BYSTANDER_COUNT), joiners: clients.slice(BYSTANDER_COUNT) }
}

/** Uses a new room each round; everybody leaves the previous one. */
async function measureJoins({ site, bystanders: bystanderClients, joiners }: JoinGroups): Promise<JoinResult> {
  const bystanders = bystanderClients.map(() => new RoomCountReader())
  const roomId = await site.openRoom(bystanderClients)
  await sleep(COALESCE_WAIT_MS)
  let [frames, bytes] = [0, 0]
  const countFrame = (payload: Buffer): void => {
    frames += 1
    bytes += payload.length
  }
  for (const client of joiners) client.onPayload = countFrame
  for (const [index, client] of bystanderClients.entries()) {
    const bystander = bystanders[index]
    bystander?.setInitialCount(BYSTANDER_COUNT)
    client.onPayload = (payload) => {
      countFrame(payload)
      bystander?.readPayload(payload)
    }
  }
  const cpuBefore = await site.server.cpuSeconds()
  const startedAt = performance.now()
  const latencies = joinOnSchedule(joiners, roomId, startedAt)
  const isRight = () => bystanders.every(({ count }) => count === BYSTANDER_COUNT + JOINER_COUNT)
  while (!isRight() && performance.now() - startedAt < COUNT_TIMEOUT_MS) await sleep(5)
  const consistentMs = performance.now() - startedAt
  const sorted = (await latencies).sort((a, b) => a - b)
  await sleep(COALESCE_WAIT_MS)
  return {
    cpuSeconds: (await site.server.cpuSeconds()) - cpuBefore,
    frames,
    megabytes: bytes / 1e6,
    p50Ms: sorted[Math.floor(JOINER_COUNT * 0.5)] ?? Number.NaN,
    p99Ms: sorted[Math.floor(JOINER_COUNT * 0.99)] ?? Number.NaN,
    consistentMs,
    inconsistentCount: bystanders.filter(({ count }) => count !== BYSTANDER_COUNT + JOINER_COUNT).length,
  }
}

/** Sends joins on a fixed schedule (an open loop). Returns milliseconds from the due time of each join to its answer. */
async function joinOnSchedule(joiners: BenchClient[], roomId: number, startedAt: number): Promise<number[]> {
  const answers: Promise<number>[] = []
  for (const [index, client] of joiners.entries()) {
    const dueAt = startedAt + (index * WITHIN_MS) / joiners.length
    const delayMs = dueAt - performance.now()
    if (delayMs > 1) await sleep(delayMs)
    answers.push(client.joinRoom(roomId).then(() => performance.now() - dueAt))
  }
  return Promise.all(answers)
}

function compareAll(peer: string, ours: JoinResult[], theirs: JoinResult[]): Figure[] {
  const figures: [keyof JoinResult, string, string][] = [
    ['cpuSeconds', 'server CPU', 's'],
    ['frames', 'frames sent', 'frames'],
    ['megabytes', 'bytes sent', 'MB'],
    ['p50Ms', 'join answered, p50', 'ms'],
    ['p99Ms', 'join answered, p99', 'ms'],
    ['consistentMs', 'until every count is right', 'ms'],
  ]
  return figures.map(([key, what, unit]) =>
    compareFigure(
      `${what}, against ${peer}`,
      unit,
      ours.map((result) => result[key]),
      theirs.map((result) => result[key]),
    ),
  )
}
