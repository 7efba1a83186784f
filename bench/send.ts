import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks'
import { numberedText } from './measure/deliveries.ts'
import { compareFigure, type Report } from './measure/report.ts'
import { runPeer } from './measure/run-peer.ts'
import { interleave, summarise } from './measure/statistics.ts'
import type { Task as SyncTask } from './peers/fsync-loop.ts'
import type { Task as LoopTask } from './peers/sqlite-loop.ts'
import { meydan } from './subjects/meydan.ts'
import { type BenchClient, connectAll, type RunningSubject } from './subjects/subject.ts'

const ROUNDS = 5
const SENDER_COUNT = 64
const SECONDS = 3
const BYTES = 180
const BATCH_SIZE = 32

/** Minimum ratios. */
interface Goals {
  /** Against a loop with BATCH_SIZE rows a transaction. */
  batched: number
  /** The same per CPU second. */
  batchedPerCpu?: number
  /** Against a loop with one row a transaction. */
  single: number
}

interface Throughput {
  perSecond: number
}

interface InsertThroughput extends Throughput {
  perCpuSecond: number
}

interface SendResult extends InsertThroughput {
  p99Ms: number
  /** Share of time in which the load generator is busy. */
  loadBusy: number
}

/** Room messages persisted and answered, against bare loops on the disk and in SQLite. */
export async function measure(): Promise<Report> {
  const folder = resolve('.cache/bench', randomUUID())
  const site = await meydan.start()
  await mkdir(folder, { recursive: true })
  return measureSending(
    site,
    { loops: folder, disk: folder },
    { batched: 0.5, batchedPerCpu: 0.4, single: 2.7 },
  ).finally(() => rm(folder, { recursive: true, force: true }))
}

/** Measures a running site against loops in these folders. */
export async function measureSending(
  site: RunningSubject,
  folders: { loops: string; disk: string },
  goals: Goals,
): Promise<Report> {
  try {
    const senders = await connectAll(await site.prepareClients(SENDER_COUNT))
    // One room per sender, so that the cost of fan-out is not included.
    for (const sender of senders) await site.openRoom([sender])
    await sendFor(site, senders, 2)
    const loop = (batch: number) => () =>
      runPeer<InsertThroughput>('bench/peers/sqlite-loop.ts', {
        file: join(folders.loops, `${batch}.db`),
        batch,
        seconds: SECONDS,
        bytes: BYTES,
      } satisfies LoopTask)
    return toReport(
      await interleave(ROUNDS, {
        ours: () => sendFor(site, senders, SECONDS),
        batched: loop(BATCH_SIZE),
        single: loop(1),
        disk: () =>
          runPeer<Throughput>('bench/peers/fsync-loop.ts', {
            file: join(folders.disk, 'synced'),
            seconds: 1,
          } satisfies SyncTask),
      }),
      goals,
    )
  } finally {
    await site.stop()
  }
}

/** A closed loop: every sender sends its next message when the last one is answered. */
async function sendFor(site: RunningSubject, senders: BenchClient[], seconds: number): Promise<SendResult> {
  const latency = createHistogram()
  const busyBefore = performance.eventLoopUtilization()
  const cpuBefore = await site.server.cpuSeconds()
  const startedAt = performance.now()
  const deadline = startedAt + seconds * 1000
  const answered = await Promise.all(senders.map((sender) => sendUntil(deadline, sender, latency)))
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  const loadBusy = performance.eventLoopUtilization(busyBefore).utilization
  const cpuSeconds = (await site.server.cpuSeconds()) - cpuBefore
  const messages = answered.reduce((sum, count) => sum + count, 0)
  return {
    perSecond: messages / elapsedSeconds,
    perCpuSecond: messages / cpuSeconds,
    p99Ms: latency.percentile(99) / 1000,
    loadBusy,
  }
}

async function sendUntil(deadline: number, sender: BenchClient, latency: RecordableHistogram): Promise<number> {
  let answered = 0
  while (performance.now() < deadline) {
    const sentAt = performance.now()
    await sender.sendMessage(numberedText(answered, BYTES))
    latency.record(Math.max(1, Math.round((performance.now() - sentAt) * 1000)))
    answered += 1
  }
  return answered
}

interface Rounds {
  ours: SendResult[]
  batched: InsertThroughput[]
  single: InsertThroughput[]
  disk: Throughput[]
}

function toReport({ ours, batched, single, disk }: Rounds, goals: Goals): Report {
  const toRates = (rounds: Throughput[]) => rounds.map(({ perSecond }) => perSecond)
  const toCpuRates = (rounds: InsertThroughput[]) => rounds.map(({ perCpuSecond }) => perCpuSecond)
  const median = (values: number[]) => summarise(values).median
  return {
    figures: [
      compareFigure(`against a loop of ${BATCH_SIZE} a transaction`, 'messages/s', toRates(ours), toRates(batched), {
        atLeast: goals.batched,
      }),
      compareFigure('against one transaction a message', 'messages/s', toRates(ours), toRates(single), {
        atLeast: goals.single,
      }),
      compareFigure('against the disk alone, fdatasync of 4 KiB', 'per second', toRates(ours), toRates(disk)),
      compareFigure(
        `against a loop of ${BATCH_SIZE} a transaction`,
        'messages per CPU second',
        toCpuRates(ours),
        toCpuRates(batched),
        goals.batchedPerCpu === undefined ? undefined : { atLeast: goals.batchedPerCpu },
      ),
    ],
    notes: [
      `${SENDER_COUNT} senders with one message in flight and one room each; synchronous=FULL everywhere, the same rows.`,
      `Answered after ${median(ours.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms (p99); load generator ${Math.round(median(ours.map(({ loadBusy }) => loadBusy)) * 100)}% busy. On 2 cores the generator competes with the server's two threads.`,
    ],
  }
}
