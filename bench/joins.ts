import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Contender, connectAll, type Site, type Visitor } from './contenders/contender.ts'
import { meydan } from './contenders/meydan.ts'
import { socketIo, socketIoGathered } from './contenders/socket-io.ts'
import { CountHeard } from './measure/count-heard.ts'
import { compare, type Figure, type Report } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const THERE = Number(process.env.BENCH_PEOPLE ?? 1_000)
const COME = THERE
const WITHIN_MS = 1_000
/** Whoever has not heard the right count by then never will. */
const PATIENCE_MS = 60_000
/** What is gathered for the people of the last room is told by then. */
const QUIET_MS = 2_500

interface Crowd {
  site: Site
  there: Visitor[]
  come: Visitor[]
}

interface Joined {
  cpuSeconds: number
  frames: number
  megabytes: number
  p50Ms: number
  p99Ms: number
  /** From the first join until the last bystander knows how many are in the room. */
  rightMs: number
  /** Bystanders who never heard it. */
  wrong: number
}

/** A thousand people enter a room with a thousand in it, within one second. */
export async function measure(): Promise<Report> {
  const contenders = { ours: meydan, socketIo, gathered: socketIoGathered }
  const crowds = new Map<string, Crowd>()
  try {
    for (const [name, contender] of Object.entries(contenders)) crowds.set(name, await gatherCrowd(contender))
    const turn = (name: string) => () => join(crowds.get(name) as Crowd) // filled above for every name
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
        `${COME} join within a second where ${THERE} are; CPU of the server's process until every bystander's count is right and ${QUIET_MS} ms more. Frames and bytes are those of all ${THERE + COME}.`,
        'Ours looks the room up and sends its last messages in each join; the peers keep nothing. The gathered peer has the rules that ours has.',
        ...Object.entries(joined).map(
          ([name, rounds]) =>
            `${name}: ${rounds.reduce((sum, { wrong }) => sum + wrong, 0)} bystanders never heard the right count`,
        ),
      ],
    }
  } finally {
    for (const { site, there, come } of crowds.values()) {
      for (const visitor of [...there, ...come]) visitor.close()
      await site.stop()
    }
  }
}

async function gatherCrowd(contender: Contender): Promise<Crowd> {
  const site = await contender.start()
  const visitors = await connectAll(await site.invite(THERE + COME))
  return { site, there: visitors.slice(0, THERE), come: visitors.slice(THERE) }
}

/** In a new room each time: all leave the one before for it. */
async function join({ site, there, come }: Crowd): Promise<Joined> {
  const bystanders = there.map(() => new CountHeard())
  const roomId = await site.openRoom(there)
  await sleep(QUIET_MS)
  let [frames, bytes] = [0, 0]
  const hear = (payload: Buffer): void => {
    frames += 1
    bytes += payload.length
  }
  for (const visitor of come) visitor.onPayload = hear
  for (const [index, visitor] of there.entries()) {
    const bystander = bystanders[index]
    bystander?.startAt(THERE)
    visitor.onPayload = (payload) => {
      hear(payload)
      bystander?.hear(payload)
    }
  }
  const cpuBefore = await site.program.cpuSeconds()
  const startedAt = performance.now()
  const latencies = enter(come, roomId, startedAt)
  const isRight = () => bystanders.every(({ count }) => count === THERE + COME)
  while (!isRight() && performance.now() - startedAt < PATIENCE_MS) await sleep(5)
  const rightMs = performance.now() - startedAt
  const sorted = (await latencies).sort((a, b) => a - b)
  await sleep(QUIET_MS)
  return {
    cpuSeconds: (await site.program.cpuSeconds()) - cpuBefore,
    frames,
    megabytes: bytes / 1e6,
    p50Ms: sorted[Math.floor(COME * 0.5)] ?? Number.NaN,
    p99Ms: sorted[Math.floor(COME * 0.99)] ?? Number.NaN,
    rightMs,
    wrong: bystanders.filter(({ count }) => count !== THERE + COME).length,
  }
}

/** Keeps to the timetable whatever the server does. Answers how long after it was due each join was answered. */
async function enter(come: Visitor[], roomId: number, startedAt: number): Promise<number[]> {
  const answers: Promise<number>[] = []
  for (const [index, visitor] of come.entries()) {
    const dueAt = startedAt + (index * WITHIN_MS) / come.length
    const early = dueAt - performance.now()
    if (early > 1) await sleep(early)
    answers.push(visitor.join(roomId).then(() => performance.now() - dueAt))
  }
  return Promise.all(answers)
}

function compareAll(peer: string, ours: Joined[], theirs: Joined[]): Figure[] {
  const figures: [keyof Joined, string, string][] = [
    ['cpuSeconds', 'server CPU', 's'],
    ['frames', 'frames sent', 'frames'],
    ['megabytes', 'bytes sent', 'MB'],
    ['p50Ms', 'join answered, p50', 'ms'],
    ['p99Ms', 'join answered, p99', 'ms'],
    ['rightMs', 'until every count is right', 'ms'],
  ]
  return figures.map(([of, what, unit]) =>
    compare(
      `${what}, against ${peer}`,
      unit,
      ours.map((one) => one[of]),
      theirs.map((one) => one[of]),
    ),
  )
}
