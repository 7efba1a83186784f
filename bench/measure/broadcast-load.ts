import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchClient, BenchSubject, RunningSubject } from '../subjects/subject.ts'
import { connectAll } from '../subjects/subject.ts'
import { DeliveryCounter, numberedText } from './deliveries.ts'

const DRAIN_TIMEOUT_MS = 20_000

export interface BroadcastLoad {
  sockets: number
  perSecond: number
  seconds: number
  bytes: number
}

export interface BroadcastResult {
  deliveriesPerCpuSecond: number
  p50Ms: number
  p99Ms: number
  /** The share of the time in which the load generator itself was busy: near 1, its own queue is in the latencies. */
  loadBusy: number
  /** Deliveries that did not come within 20 s of the last message. */
  missingDeliveries: number
}

/** A contender with a full room, ready to be driven again and again. */
export interface FilledSubject {
  site: RunningSubject
  visitors: BenchClient[]
}

/** Starts a contender and fills one room. The first visitor is the one who talks. */
export async function startFilledSubject(contender: BenchSubject, sockets: number): Promise<FilledSubject> {
  const site = await contender.start()
  const visitors = await connectAll(await site.prepareClients(sockets))
  await site.openRoom(visitors)
  return { site, visitors }
}

/** One visitor talks at a steady pace, everyone listens; the server's CPU is read before and after. */
export async function runBroadcast({ site, visitors }: FilledSubject, talk: BroadcastLoad): Promise<BroadcastResult> {
  const deliveries = new DeliveryCounter()
  deliveries.listen(visitors)
  const busyBefore = performance.eventLoopUtilization()
  const cpuBefore = await site.server.cpuSeconds()
  const said = await sendOnSchedule(visitors, deliveries, talk)
  const expected = said * visitors.length
  await deliveries.waitForCount(expected, DRAIN_TIMEOUT_MS)
  const cpuSeconds = (await site.server.cpuSeconds()) - cpuBefore
  return {
    deliveriesPerCpuSecond: deliveries.count / cpuSeconds,
    p50Ms: deliveries.latency.percentile(50) / 1000,
    p99Ms: deliveries.latency.percentile(99) / 1000,
    loadBusy: performance.eventLoopUtilization(busyBefore).utilization,
    missingDeliveries: expected - deliveries.count,
  }
}

/** Keeps to the timetable whatever the server does (an open loop), and waits for the answers at the end. */
async function sendOnSchedule(
  visitors: BenchClient[],
  deliveries: DeliveryCounter,
  talk: BroadcastLoad,
): Promise<number> {
  const [speaker] = visitors
  if (!speaker) throw new Error('nobody is there to talk')
  const total = talk.perSecond * talk.seconds
  const answers: Promise<void>[] = []
  const startedAt = performance.now()
  while (answers.length < total) {
    const dueAt = startedAt + (answers.length * 1000) / talk.perSecond
    const early = dueAt - performance.now()
    if (early > 0) await sleep(early)
    const answered = speaker.sendMessage(numberedText(deliveries.scheduleMessage(dueAt), talk.bytes))
    // Looked at below, once all is said; until then a refusal must not end the bench.
    answered.catch(() => {})
    answers.push(answered)
  }
  await Promise.all(answers)
  return total
}
