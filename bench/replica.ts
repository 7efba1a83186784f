import { createHistogram, performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { numberedText } from './measure/deliveries.ts'
import { compareFigure, type Report } from './measure/report.ts'
import type { MeydanClient } from './subjects/meydan.ts'
import { startMeydanCluster, streamLitefsTransactions } from './subjects/meydan-regions.ts'
import { connectAll } from './subjects/subject.ts'

const ROUNDS = 5
const MESSAGES = 200
const BYTES = 180
/** Between two messages, so that each has a transaction of its own. */
const MESSAGE_INTERVAL_MS = 10

/** Milliseconds after the answer, of one round. */
interface Round {
  p50: number
  p99: number
}

/** Answered on the primary to delivered in the other region, against LiteFS's own line about the same transaction there. */
export async function measure(): Promise<Report> {
  const { plans, sites } = await startMeydanCluster(['ist', 'fra'])
  const [ist, fra] = sites
  const there = plans[1]
  if (!ist || !fra || !there) throw new Error('two regions were asked for')
  const lines = new Map<string, number>()
  const stopListening = await streamLitefsTransactions(there, (txid, at) => lines.set(txid, at))
  try {
    // Both come through connections that this bench opened itself.
    const [sender] = (await connectAll(await ist.prepareClients(1))) as MeydanClient[]
    const [listener] = (await connectAll(await fra.prepareClients(1))) as MeydanClient[]
    if (!sender || !listener) throw new Error('two people were invited')
    const roomId = await ist.openRoom([sender])
    await waitForRoom(listener, roomId)
    const ours: Round[] = []
    const litefs: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const found = await measureRound(sender, listener, lines)
      ours.push(found.ours)
      litefs.push(found.litefs)
    }
    const of = (rounds: Round[], which: keyof Round) => rounds.map((round) => round[which])
    return {
      figures: [
        compareFigure('idle: against LiteFS’s own event', 'ms, p50', of(ours, 'p50'), of(litefs, 'p50'), {
          atMost: 1.5,
        }),
        compareFigure('idle: against LiteFS’s own event', 'ms, p99', of(ours, 'p99'), of(litefs, 'p99')),
      ],
      notes: [
        `${MESSAGES} messages a round, ${MESSAGE_INTERVAL_MS} ms apart, from the answer in one region to the socket in the other; both regions and the load on this machine, loopback between them.`,
      ],
    }
  } finally {
    stopListening()
    await ist.stop()
  }
}

/** The row that was written beside the site reaches the other region with the next transaction. */
async function waitForRoom(listener: MeydanClient, roomId: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await listener.joinRoom(roomId)
    } catch (error) {
      if (tries > 200) throw error
      await pause(20)
    }
  }
}

async function measureRound(sender: MeydanClient, listener: MeydanClient, lines: Map<string, number>) {
  const ours = createHistogram()
  const litefs = createHistogram()
  for (let i = 0; i < MESSAGES; i++) {
    const delivered = new Promise<number>((resolve) => {
      listener.onPayload = () => resolve(performance.now())
    })
    lines.clear()
    await sender.sendMessage(numberedText(i, BYTES))
    const answeredAt = performance.now()
    ours.record(microseconds((await delivered) - answeredAt))
    await pause(MESSAGE_INTERVAL_MS)
    for (const at of lines.values()) litefs.record(microseconds(at - answeredAt))
  }
  listener.onPayload = () => {}
  const round = (histogram: typeof ours): Round => ({
    p50: histogram.percentile(50) / 1000,
    p99: histogram.percentile(99) / 1000,
  })
  return { ours: round(ours), litefs: round(litefs) }
}

/** Whatever came before the answer was heard counts as having come with it. */
function microseconds(ms: number): number {
  return Math.max(1, Math.round(ms * 1000))
}
