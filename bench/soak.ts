import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SeededRandom } from '../src/server/testing/simulation/seeded-random.ts'
import { compareFigure, type Figure, type Report, standaloneFigure } from './measure/report.ts'
import { SOAK_ACTIONS, type SoakAction, SoakPeople } from './measure/soak-people.ts'
import { meydan, type RunningMeydan } from './subjects/meydan.ts'

const MINUTES = Number(process.env.SOAK_MINUTES ?? 20)
const PEOPLE = Number(process.env.SOAK_PEOPLE ?? 5_000)
const ROOMS = Number(process.env.SOAK_ROOMS ?? 200)
const SEED = Number(process.env.SOAK_SEED ?? randomInt(2 ** 31))
const MINUTE_MS = 60_000
const TICK_MS = 100
/** Later minutes are compared with the first one. */
const GOAL = { atMost: 1.2 }

/** The samples of one minute. */
class MinuteSamples {
  readonly latenciesMs = new Map<SoakAction, number[]>(SOAK_ACTIONS.map((action) => [action, []]))
  residentBytes = 0
  loopDelayMs = 0
  cpuSeconds = 0
  frames = 0

  percentile(action: SoakAction, share: number): number {
    const sorted = (this.latenciesMs.get(action) ?? []).toSorted((a, b) => a - b)
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  }

  countOf(action: SoakAction): number {
    return this.latenciesMs.get(action)?.length ?? 0
  }
}

/** 5,000 people in 200 rooms for 20 minutes, with one restart in the middle. */
export async function measure(): Promise<Report> {
  const site = await meydan.start()
  const failures = new Map<string, number>()
  let current = new MinuteSamples()
  const people = new SoakPeople(site, new SeededRandom(SEED), site.addRooms(ROOMS), (action, elapsedMs, failure) => {
    if (!failure) current.latenciesMs.get(action)?.push(elapsedMs)
    else {
      // A refusal is counted by its code: its text and its wait differ from one to the next.
      const what = `${action}: ${/"code":"(\w+)"/.exec(failure)?.[1] ?? failure}`
      failures.set(what, (failures.get(what) ?? 0) + 1)
    }
  })
  try {
    await people.add(PEOPLE)
    const diskBefore = await site.diskBytes()
    const minutes: MinuteSamples[] = []
    const restartAfter = Math.ceil(MINUTES / 2)
    let restart = { servedMs: Number.NaN, backMs: Number.NaN }
    while (minutes.length < MINUTES) {
      current = new MinuteSamples()
      await runMinute(site, people, current)
      minutes.push(current)
      if (minutes.length === restartAfter) restart = await restartSite(site, people)
    }
    await people.stop()
    const messages = sum(minutes.map((minute) => minute.countOf('message')))
    const diskBytes = ((await site.diskBytes()) - diskBefore) / messages
    return {
      figures: [
        ...figuresOfMinutes(minutes, restartAfter),
        standaloneFigure('disk, uploads and logs included', 'bytes per message', [diskBytes]),
        standaloneFigure('restart: until it serves', 'ms', [restart.servedMs]),
        standaloneFigure('restart: until all are connected', 'ms', [restart.backMs]),
      ],
      notes: [
        `${PEOPLE} people in ${ROOMS} rooms for ${MINUTES} minutes, SOAK_SEED=${SEED}; the load generator shares the machine.`,
        `Answered: ${SOAK_ACTIONS.map((action) => `${action} ${sum(minutes.map((minute) => minute.countOf(action)))}`).join(', ')}.`,
        `Refused or failed: ${[...failures].map(([what, count]) => `${what} (${count})`).join(', ') || 'nothing'}.`,
      ],
    }
  } finally {
    await site.stop()
  }
}

async function runMinute(site: RunningMeydan, people: SoakPeople, samples: MinuteSamples): Promise<void> {
  const { server } = site
  await server.loopDelayMs?.()
  const cpuBefore = await server.cpuSeconds()
  const framesBefore = people.framesReceived
  const startedAt = performance.now()
  for (let tick = 1; tick * TICK_MS <= MINUTE_MS; tick++) {
    people.act(TICK_MS)
    await sleep(Math.max(0, startedAt + tick * TICK_MS - performance.now()))
  }
  samples.loopDelayMs = (await server.loopDelayMs?.()) ?? Number.NaN
  samples.cpuSeconds = (await server.cpuSeconds()) - cpuBefore
  samples.frames = people.framesReceived - framesBefore
  samples.residentBytes = await server.residentBytes()
}

async function restartSite(site: RunningMeydan, people: SoakPeople): Promise<{ servedMs: number; backMs: number }> {
  const startedAt = performance.now()
  const back = people.reconnectAll()
  await site.restart()
  const servedMs = performance.now() - startedAt
  await back
  return { servedMs, backMs: performance.now() - startedAt }
}

/** The minutes after the first one against the first; memory against the first minute of the same process. */
function figuresOfMinutes(minutes: MinuteSamples[], restartAfter: number): Figure[] {
  const later = minutes.slice(1)
  const first = minutes[0]
  if (!first || later.length === 0) return []
  const compare = (what: string, unit: string, read: (minute: MinuteSamples) => number, goal?: { atMost: number }) =>
    compareFigure(what, unit, later.map(read), Array(later.length).fill(read(first)), goal)
  const memory = (process: MinuteSamples[], what: string) => {
    const readings = process.map(({ residentBytes }) => residentBytes / 1e6)
    return standaloneFigure(`memory per minute, ${what}`, 'MB', [slope(readings)])
  }
  return [
    ...SOAK_ACTIONS.flatMap((action) => [
      compare(`${action}, p50`, 'ms', (minute) => minute.percentile(action, 0.5)),
      compare(
        `${action}, p99`,
        'ms',
        (minute) => minute.percentile(action, 0.99),
        action === 'message' ? GOAL : undefined,
      ),
    ]),
    compare('event-loop delay, p99', 'ms', ({ loopDelayMs }) => loopDelayMs),
    compare('server CPU', 'cores', ({ cpuSeconds }) => cpuSeconds / 60),
    compare('frames to clients', 'per second', ({ frames }) => frames / 60),
    compare('resident memory', 'MB', ({ residentBytes }) => residentBytes / 1e6),
    memory(minutes.slice(1, restartAfter), 'before the restart'),
    memory(minutes.slice(restartAfter + 1), 'after the restart'),
  ]
}

/** The least-squares slope of readings at equal distances; 0 for fewer than two. */
function slope(readings: number[]): number {
  if (readings.length < 2) return 0
  const middle = (readings.length - 1) / 2
  const mean = sum(readings) / readings.length
  const products = readings.map((reading, index) => (index - middle) * (reading - mean))
  return sum(products) / sum(readings.map((_, index) => (index - middle) ** 2))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
