import { compareFigure, type Figure, type Report, standaloneFigure } from './measure/report.ts'
import { interleave, summarise } from './measure/statistics.ts'
import { findRelays, LoadedRelay, type RelayRun, type RelaySubjects } from './subjects/call-relays.ts'

const ROUNDS = 5
const SECONDS = 1.2
/** A count is halved so often: 5 runs tell one of 32 steps. */
const HALVINGS = 5
/** Of a million packets. Browsers repair more without a trace. */
const MAX_LOST_PER_MILLION = 100
/** From sending to decrypting, of 99 packets in 100; a relay that keeps up needs less than 1 ms. */
const MAX_P99_MS = 10
/** A run in which the load itself stood still for longer says nothing of the relay, and is repeated this often. */
const MAX_TICK_MS = 10
const MAX_REPEATS = 1

/** More calls than any holds on one core. */
const MAX_CALLS = { ours: 256, pion: 128, werift: 32, bare: 256 }
type Name = keyof typeof MAX_CALLS

/** The most calls that were held, and what the relay's core would hold by the CPU that these took. */
interface HeldCalls {
  calls: number
  /** Extrapolated: calls divided by the share of a core in use. */
  byCpu: number
  /** The load stood still in the last run of some step. */
  isLoadLate: boolean
}

/** Video calls of 1.7 Mbit/s in each direction that one core holds without loss or added delay. */
export async function measure(): Promise<Report> {
  const found = findRelays()
  if ('missing' in found) return { figures: [], notes: [`needs Go: ${found.missing}.`] }
  const relays = await startRelays(found)
  try {
    const rounds = await interleave(ROUNDS, {
      ours: () => findHeldCalls(relays.ours, MAX_CALLS.ours),
      pion: () => findHeldCalls(relays.pion, MAX_CALLS.pion),
      werift: () => findHeldCalls(relays.werift, MAX_CALLS.werift),
      bare: () => findHeldCalls(relays.bare, MAX_CALLS.bare),
    })
    return toReport(rounds, relays.ours.isPinned)
  } finally {
    await Promise.all(Object.values(relays).map((relay) => relay.stop()))
  }
}

/** Opens all calls first: those that do not send have only consent checks. */
async function startRelays({ load, ...subjects }: RelaySubjects): Promise<Record<Name, LoadedRelay>> {
  const start = (name: Name) => new LoadedRelay(subjects[name], load)
  const relays = { ours: start('ours'), pion: start('pion'), werift: start('werift'), bare: start('bare') }
  for (const name of ['ours', 'pion', 'werift', 'bare'] as const) {
    await relays[name].openCalls(MAX_CALLS[name])
    await relays[name].run(Math.ceil(MAX_CALLS[name] / 10), 2)
  }
  return relays
}

/** Halves the interval between a count that is held and one that is not. */
async function findHeldCalls(relay: LoadedRelay, maxCalls: number): Promise<HeldCalls> {
  let step = maxCalls / 2
  const held: HeldCalls = { calls: 0, byCpu: 0, isLoadLate: false }
  for (let i = 0; i < HALVINGS; i++, step /= 2) {
    const calls = held.calls + step
    const run = await runPunctually(relay, calls)
    if (run.maxTickMs > MAX_TICK_MS) held.isLoadLate = true
    if (!isHeld(run)) continue
    held.calls = calls
    held.byCpu = (calls * run.seconds) / run.cpuSeconds
  }
  return held
}

async function runPunctually(relay: LoadedRelay, calls: number): Promise<RelayRun> {
  let run = await relay.run(calls, SECONDS)
  for (let repeat = 0; repeat < MAX_REPEATS && !isHeld(run) && run.maxTickMs > MAX_TICK_MS; repeat++) {
    run = await relay.run(calls, SECONDS)
  }
  return run
}

function isHeld({ sent, received, p99Ms }: RelayRun): boolean {
  return ((sent - received) * 1e6) / sent <= MAX_LOST_PER_MILLION && p99Ms <= MAX_P99_MS
}

function toReport(rounds: Record<Name, HeldCalls[]>, isPinned: boolean): Report {
  const ours = rounds.ours.map(({ calls }) => calls)
  return {
    figures: [
      standaloneFigure('held by one core', 'calls', ours, { atLeast: 100 }),
      ...compareHeld('against Pion without interceptors', rounds.ours, rounds.pion),
      ...compareHeld("against werift's public calls alone", rounds.ours, rounds.werift),
      ...compareHeld('against a loop that forwards bare datagrams', rounds.ours, rounds.bare),
    ],
    notes: [
      `Held is: ${MAX_LOST_PER_MILLION} packets lost in a million at most, and 99 in 100 decrypted within ${MAX_P99_MS} ms, for ${SECONDS} s. A call sends 460 packets a second in all, as in relay; at most ${MAX_CALLS.ours} were tried.`,
      `By the CPU of the held calls a whole core would hold (extrapolated): ${describeExtrapolated(rounds)}.`,
      isPinned ? 'The relay has one core and the load the other.' : 'Relay and load share all cores.',
      ...describeLateLoad(rounds),
    ],
  }
}

/** No figure when the peer held none in some round: on a machine with other work no relay keeps the delay. */
function compareHeld(what: string, ours: HeldCalls[], peer: HeldCalls[]): Figure[] {
  if (peer.some(({ calls }) => calls === 0)) return []
  const counts = (rounds: HeldCalls[]) => rounds.map(({ calls }) => calls)
  return [compareFigure(what, 'calls', counts(ours), counts(peer))]
}

function describeExtrapolated(rounds: Record<Name, HeldCalls[]>): string {
  return Object.entries(rounds)
    .map(([name, all]) => `${name} ${Math.round(summarise(all.map(({ byCpu }) => byCpu)).median)}`)
    .join(', ')
}

function describeLateLoad(rounds: Record<Name, HeldCalls[]>): string[] {
  const names = Object.entries(rounds).flatMap(([name, all]) =>
    all.some(({ isLoadLate }) => isLoadLate) ? [name] : [],
  )
  if (names.length === 0) return []
  return [`The load stood still for more than ${MAX_TICK_MS} ms with ${names.join(', ')}: they may hold more.`]
}
