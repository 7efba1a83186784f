import { compareFigure, type Report } from './measure/report.ts'
import { interleave, summarise } from './measure/statistics.ts'
import { findRelays, LoadedRelay, type RelayRun, type RelaySubjects } from './subjects/call-relays.ts'

const ROUNDS = 5
const SECONDS = 4
/** 9,200 packets a second. */
const CALLS = 20
/** The relay of werift holds few: 4,600 packets a second. */
const FEW_CALLS = 10

/** CPU of the relay's process for each forwarded packet, with senders and receivers in another process. */
export async function measure(): Promise<Report> {
  const found = findRelays()
  if ('missing' in found) return { figures: [], notes: [`needs Go: ${found.missing}.`] }
  const relays = startRelays(found)
  try {
    for (const [name, relay] of Object.entries(relays)) await relay.openCalls(name === 'werift' ? FEW_CALLS : CALLS)
    for (const relay of Object.values(relays)) await relay.run(FEW_CALLS, 2)
    const rounds = await interleave(ROUNDS, {
      ours: () => relays.ours.run(CALLS, SECONDS),
      pion: () => relays.pion.run(CALLS, SECONDS),
      bare: () => relays.bare.run(CALLS, SECONDS),
      oursFew: () => relays.ours.run(FEW_CALLS, SECONDS),
      werift: () => relays.werift.run(FEW_CALLS, SECONDS),
    })
    return toReport(rounds, relays.ours.isPinned)
  } finally {
    await Promise.all(Object.values(relays).map((relay) => relay.stop()))
  }
}

/** All run at the same time; those that are not measured have only consent checks. */
function startRelays({ load, ours, pion, werift, bare }: RelaySubjects) {
  return {
    ours: new LoadedRelay(ours, load),
    pion: new LoadedRelay(pion, load),
    werift: new LoadedRelay(werift, load),
    bare: new LoadedRelay(bare, load),
  }
}

type Rounds = Record<'ours' | 'pion' | 'bare' | 'oursFew' | 'werift', RelayRun[]>

function toReport({ ours, pion, bare, oursFew, werift }: Rounds, isPinned: boolean): Report {
  const cost = (runs: RelayRun[]) => runs.map(({ cpuSeconds, received }) => (cpuSeconds * 1e6) / received)
  const unit = 'µs of CPU a packet'
  return {
    figures: [
      compareFigure(`${CALLS} calls, against Pion without interceptors`, unit, cost(ours), cost(pion), {
        atMost: 0.65,
      }),
      compareFigure(`${FEW_CALLS} calls, against werift's public calls alone`, unit, cost(oursFew), cost(werift), {
        atMost: 0.12,
      }),
      compareFigure(`${CALLS} calls, against a loop that forwards bare datagrams`, unit, cost(ours), cost(bare)),
    ],
    notes: [
      'A call is 1.7 Mbit/s of video and 50 packets of audio a second in each direction, 460 packets a second, encrypted by the same clients in Go for all; each packet is decrypted at its end.',
      `The CPU is that of the relay's whole process, for the packets that arrived: ${describeLoss({ ours, pion, bare, oursFew, werift })}.`,
      isPinned
        ? 'The relay has one core and the load the other.'
        : 'Relay and load share all cores: this system cannot keep a process on one.',
    ],
  }
}

function describeLoss(rounds: Rounds): string {
  return Object.entries(rounds)
    .map(([name, runs]) => {
      const lost = runs.map(({ sent, received }) => (100 * (sent - received)) / sent)
      const { median, highest } = summarise(lost)
      return `${name} lost ${median.toFixed(2)}% (at most ${highest.toFixed(2)}%)`
    })
    .join(', ')
}
