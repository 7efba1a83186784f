import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { compareFigure, type Figure, type Report } from './measure/report.ts'
import { RoomCountReader } from './measure/room-count-reader.ts'
import { interleave } from './measure/statistics.ts'
import { meydan } from './subjects/meydan.ts'
import { socketIo, socketIoCoalesced } from './subjects/socket-io.ts'
import { type BenchClient, type BenchSubject, connectAll, type RunningSubject } from './subjects/subject.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const BYSTANDER_COUNT = Number(process.env.BENCH_PEOPLE ?? 1_000)
const JOINER_COUNT = BYSTANDER_COUNT
const WITHIN_MS = 1_000
/** Whoever has not heard the right count by then never will. */
const COUNT_TIMEOUT_MS = 60_000
/** What is gathered for the people of the last room is told by then. */
const SETTLE_MS = 2_500

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
  /** From the first join until the last bystander knows how many are in the room. */
  consistentMs: number
  /** Bystanders who never heard it. */
  inconsistentCount: number
}

/** A thousand people enter a room with a thousand in it, within one second. */
export async function measure(): Promise<Report> {
  const contenders = { ours: meydan, socketIo, gathered: socketIoCoalesced }
  const crowds = new Map<string, JoinGroups>()
  try {
    for (const [name, contender] of Object.entries(contenders)) crowds.set(name, await connectGroups(contender))
    const turn = (name: string) => () => measureJoins(crowds.get(name) as JoinGroups) // filled above for every name
    const joined = await interleave(ROUNDS, {
      ours: turn('ours'),
      socketIo: turn('socketIo'),
      gathered: turn('gathered'),
    })
    return {
      figures: [
        ...compareAll('socket.io 4.8 that tells of each', joined.ours, joined.socketIo),
        ...compareAll('socket.io 4.8, gathered', joined.ours, joined.gathered),
      ],
      notes: [
        `${JOINER_COUNT} join within a second where ${BYSTANDER_COUNT} are; CPU of the server's process until every bystander's count is right and ${SETTLE_MS} ms more. Frames and bytes are those of all ${BYSTANDER_COUNT + JOINER_COUNT}.`,
        'Ours looks the room up and sends its last messages in each join; the peers keep nothing. The gathered peer has the rules that ours has.',
        ...Object.entries(joined).map(
          ([name, rounds]) =>
            `${name}: ${rounds.reduce((sum, { inconsistentCount }) => sum + inconsistentCount, 0)} bystanders never heard the right count`,
        ),
      ],
    }
  } finally {
    for (const { site, bystanders, joiners } of crowds.values()) {
      for (const visitor of [...bystanders, ...joiners]) visitor.close()
      await site.stop()
    }
  }
}

async function connectGroups(contender: BenchSubject): Promise<JoinGroups> {
  const site = await contender.start()
  const visitors = await connectAll(await site.prepareClients(BYSTANDER_COUNT + JOINER_COUNT))
  return { site, bystanders: visitors.slice(0, BYSTANDER_COUNT), joiners: visitors.slice(BYSTANDER_COUNT) }
}

/** In a new room each time: all leave the one before for it. */
async function measureJoins({ site, bystanders: there, joiners }: JoinGroups): Promise<JoinResult> {
  const bystanders = there.map(() => new RoomCountReader())
  const roomId = await site.openRoom(there)
  await sleep(SETTLE_MS)
  let [frames, bytes] = [0, 0]
  const hear = (payload: Buffer): void => {
    frames += 1
    bytes += payload.length
  }
  for (const visitor of joiners) visitor.onPayload = hear
  for (const [index, visitor] of there.entries()) {
    const bystander = bystanders[index]
    bystander?.setInitialCount(BYSTANDER_COUNT)
    visitor.onPayload = (payload) => {
      hear(payload)
      bystander?.readPayload(payload)
    }
  }
  const cpuBefore = await site.server.cpuSeconds()
  const startedAt = performance.now()
  const latencies = joinOnSchedule(joiners, roomId, startedAt)
  const isRight = () => bystanders.every(({ count }) => count === BYSTANDER_COUNT + JOINER_COUNT)
  while (!isRight() && performance.now() - startedAt < COUNT_TIMEOUT_MS) await sleep(5)
  const rightMs = performance.now() - startedAt
  const sorted = (await latencies).sort((a, b) => a - b)
  await sleep(SETTLE_MS)
  return {
    cpuSeconds: (await site.server.cpuSeconds()) - cpuBefore,
    frames,
    megabytes: bytes / 1e6,
    p50Ms: sorted[Math.floor(JOINER_COUNT * 0.5)] ?? Number.NaN,
    p99Ms: sorted[Math.floor(JOINER_COUNT * 0.99)] ?? Number.NaN,
    consistentMs: rightMs,
    inconsistentCount: bystanders.filter(({ count }) => count !== BYSTANDER_COUNT + JOINER_COUNT).length,
  }
}

/** Keeps to the timetable whatever the server does. Answers how long after it was due each join was answered. */
async function joinOnSchedule(come: BenchClient[], roomId: number, startedAt: number): Promise<number[]> {
  const answers: Promise<number>[] = []
  for (const [index, visitor] of come.entries()) {
    const dueAt = startedAt + (index * WITHIN_MS) / come.length
    const early = dueAt - performance.now()
    if (early > 1) await sleep(early)
    answers.push(visitor.joinRoom(roomId).then(() => performance.now() - dueAt))
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
  return figures.map(([of, what, unit]) =>
    compareFigure(
      `${what}, against ${peer}`,
      unit,
      ours.map((one) => one[of]),
      theirs.map((one) => one[of]),
    ),
  )
}
