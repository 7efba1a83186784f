import { FilledSite, type OperationCosts, type SiteSize } from './measure/filled-site.ts'
import { compareFigure, type Figure, type Report } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const MAX_MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000)
const MAX_PEOPLE = Number(process.env.BENCH_PEOPLE ?? 1_000)
const MAX_RATIO = 1.2

/** One dimension of the size of a site, from its smallest value to its largest. */
interface Dimension {
  key: keyof SiteSize
  what: string
  values: number[]
  /** The other dimensions stay at this size. */
  base: SiteSize
  /** What reaches every user of the room costs more when there are more, so it has no goal. */
  mustGrow: (keyof OperationCosts)[]
}

const small: SiteSize = { messages: 10_000, rooms: 10, people: 8 }
const dimensions: Dimension[] = [
  { key: 'messages', what: 'messages', values: [10_000, MAX_MESSAGES], base: small, mustGrow: [] },
  { key: 'rooms', what: 'rooms', values: [10, 1_000, 10_000], base: small, mustGrow: [] },
  {
    key: 'people',
    what: 'people in the room',
    values: [100, MAX_PEOPLE],
    base: small,
    mustGrow: ['send', 'replay', 'join'],
  },
]

const operationNames: Record<keyof OperationCosts, string> = {
  send: 'sending',
  page: 'room page',
  history: 'page of history',
  replay: 'replay of 50',
  join: 'joining and leaving',
}

/** CPU of the server for an operation on a large site, against the same on the smallest one in the same round. */
export async function measure(): Promise<Report> {
  const figures: Figure[] = []
  for (const dimension of dimensions) figures.push(...(await measureDimension(dimension)))
  return { figures, notes: notes(figures) }
}

async function measureDimension(dimension: Dimension): Promise<Figure[]> {
  const sites = new Map<string, FilledSite>()
  try {
    for (const value of dimension.values)
      sites.set(String(value), await FilledSite.start({ ...dimension.base, [dimension.key]: value }))
    // Fills caches and lets the compiler see every path.
    for (const site of sites.values()) await site.measureCosts()
    const runs = [...sites].map(([value, site]) => [value, () => site.measureCosts()])
    const rounds: Record<string, OperationCosts[]> = await interleave(ROUNDS, Object.fromEntries(runs))
    return toFigures(dimension, rounds)
  } finally {
    for (const site of sites.values()) await site.stop()
  }
}

function toFigures({ key, what, values, mustGrow }: Dimension, rounds: Record<string, OperationCosts[]>): Figure[] {
  const [smallest, ...larger] = values
  const operations = Object.keys(operationNames) as (keyof OperationCosts)[] // the record has exactly these keys
  const costs = (value: number | undefined, operation: keyof OperationCosts) =>
    (rounds[String(value)] ?? []).map((round) => round[operation])
  return operations.flatMap((operation) =>
    larger.flatMap((value) => {
      const ours = costs(value, operation)
      const peer = costs(smallest, operation)
      const name = `${operationNames[operation]}, ${value.toLocaleString('en')} ${what}`
      const goal = mustGrow.includes(operation) ? undefined : { atMost: MAX_RATIO }
      const figure = compareFigure(name, 'CPU ms', ours, peer, goal)
      if (key !== 'people' || operation !== 'send') return [figure]
      const perPerson = (samples: number[], people = 1) => samples.map((cost) => (cost * 1_000) / people)
      return [
        figure,
        compareFigure(`${name}, a delivery`, 'CPU us', perPerson(ours, value), perPerson(peer, smallest), {
          atMost: MAX_RATIO,
        }),
      ]
    }),
  )
}

function notes(figures: Figure[]): string[] {
  const growing = figures.filter(({ reached }) => reached === false).map(({ what }) => what)
  return [
    `The peer is the same site at its smallest: ${dimensions.map(({ what, values }) => `${values[0]?.toLocaleString('en')} ${what}`).join(', ')}. BENCH_MESSAGES=10000000 and BENCH_PEOPLE=10000 measure up to those.`,
    'The room has a tenth of the messages at every size. All rooms are listed. A room page is rendered after a new message, whose CPU is measured alone and subtracted.',
    'Sending, replay and joining reach everyone in the room, so they grow with its people; a delivery must not.',
    growing.length ? `Grows faster than it must: ${growing.join('; ')}.` : 'Nothing grows faster than it must.',
  ]
}
