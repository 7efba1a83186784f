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
/** Pause between two messages, so that each is a transaction. */
const MESSAGE_INTERVAL_MS = 10

/** Latency after sending in one round, in milliseconds. */
interface Round {
  p50: number
  p99: number
}

/**
 * Time from sending on the primary to the delivery on the replica, against the event of LiteFS for the same transaction. Not
 * from the answer: most of LiteFS's events come before it, so that the peer's time would be zero.
 */
export async function measure(): Promise<Report> {
  const { plans, sites } = await startMeydanCluster(['ist', 'fra'])
  const [ist, fra] = sites
  const replicaPlan = plans[1]
  if (!ist || !fra || !replicaPlan) throw new Error('startMeydanCluster returned fewer than two regions')
  const transactionTimes = new Map<string, number>()
  const stopListening = await streamLitefsTransactions(replicaPlan, (txid, at) => transactionTimes.set(txid, at))
  try {
    // prepareClients of Meydan returns Meydan clients.
    const [sender] = (await connectAll(await ist.prepareClients(1))) as MeydanClient[]
    const [listener] = (await connectAll(await fra.prepareClients(1))) as MeydanClient[]
    if (!sender || !listener) throw new Error('prepareClients returned no client')
    const roomId = await ist.openRoom([sender])
    await waitForRoom(listener, roomId)
    const ours: Round[] = []
    const litefs: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const result = await measureRound(sender, listener, transactionTimes)
      ours.push(result.ours)
      litefs.push(result.litefs)
    }
    const of = (rounds: Round[], key: keyof Round) => rounds.map((round) => round[key])
    return {
      figures: [
        compareFigure('idle: against LiteFS’s own event', 'ms, p50', of(ours, 'p50'), of(litefs, 'p50'), {
          atMost: 1.5,
        }),
        compareFigure('idle: against LiteFS’s own event', 'ms, p99', of(ours, 'p99'), of(litefs, 'p99')),
      ],
      notes: [
        `${MESSAGES} messages a round, ${MESSAGE_INTERVAL_MS} ms apart, from sending in one region to the socket in the other; both regions and the load generator share this machine over loopback.`,
      ],
    }
  } finally {
    stopListening()
    await ist.stop()
  }
}

/** Joins again until the room exists here: its row replicates with the next transaction. */
async function waitForRoom(listener: MeydanClient, roomId: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await listener.joinRoom(roomId)
    } catch (error) {
      if (attempt > 200) throw error
      await pause(20)
    }
  }
}

async function measureRound(sender: MeydanClient, listener: MeydanClient, transactionTimes: Map<string, number>) {
  const ours = createHistogram()
  const litefs = createHistogram()
  for (let i = 0; i < MESSAGES; i++) {
    const delivered = new Promise<number>((resolve) => {
      listener.onPayload = () => resolve(performance.now())
    })
    transactionTimes.clear()
    const sentAt = performance.now()
    await sender.sendMessage(numberedText(i, BYTES))
    ours.record(microseconds((await delivered) - sentAt))
    await pause(MESSAGE_INTERVAL_MS)
    for (const at of transactionTimes.values()) litefs.record(microseconds(at - sentAt))
  }
  listener.onPayload = () => {}
  const round = (histogram: typeof ours): Round => ({
    p50: histogram.percentile(50) / 1000,
    p99: histogram.percentile(99) / 1000,
  })
  return { ours: round(ours), litefs: round(litefs) }
}

function microseconds(ms: number): number {
  return Math.round(ms * 1000)
}
