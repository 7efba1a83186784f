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

interface Goals {
  gathered: number
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
  /** The share of the time in which the load generator itself was busy. */
  loadBusy: number
}

/** Room messages persisted and answered, against the disk's and SQLite's own pace. */
export async function measure(): Promise<Report> {
  const folder = resolve('.cache/bench', randomUUID())
  const site = await meydan.start()
  await mkdir(folder, { recursive: true })
  return measureSending(site, { loops: folder, disk: folder }, { gathered: 0.5, single: 3 }).finally(() =>
    rm(folder, { recursive: true, force: true }),
  )
}

/** The same for any site of ours, beside loops on databases and files in these folders. The goals are the least ratios. */
export async function measureSending(
  site: RunningSubject,
  folders: { loops: string; disk: string },
  goals: Goals,
): Promise<Report> {
  try {
    const senders = await connectAll(await site.prepareClients(SENDER_COUNT))
    // A room each: what hearing costs is what fan-out measures.
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
        gathered: loop(BATCH_SIZE),
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

/** A closed loop: every sender says its next message as soon as its last one is answered. */
async function sendFor(site: RunningSubject, senders: BenchClient[], seconds: number): Promise<SendResult> {
  const latency = createHistogram()
  const busyBefore = performance.eventLoopUtilization()
  const cpuBefore = await site.server.cpuSeconds()
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  const answered = await Promise.all(senders.map((sender) => sendUntil(endsAt, sender, latency)))
  const took = (performance.now() - startedAt) / 1000
  const loadBusy = performance.eventLoopUtilization(busyBefore).utilization
  const cpuSeconds = (await site.server.cpuSeconds()) - cpuBefore
  const messages = answered.reduce((sum, count) => sum + count, 0)
  return {
    perSecond: messages / took,
    perCpuSecond: messages / cpuSeconds,
    p99Ms: latency.percentile(99) / 1000,
    loadBusy,
  }
}

async function sendUntil(endsAt: number, sender: BenchClient, latency: RecordableHistogram): Promise<number> {
  let answered = 0
  while (performance.now() < endsAt) {
    const saidAt = performance.now()
    await sender.sendMessage(numberedText(answered, BYTES))
    latency.record(Math.max(1, Math.round((performance.now() - saidAt) * 1000)))
    answered += 1
  }
  return answered
}

interface Rounds {
  ours: SendResult[]
  gathered: InsertThroughput[]
  single: InsertThroughput[]
  disk: Throughput[]
}

function toReport({ ours, gathered, single, disk }: Rounds, goals: Goals): Report {
  const pace = (rounds: Throughput[]) => rounds.map(({ perSecond }) => perSecond)
  const cost = (rounds: InsertThroughput[]) => rounds.map(({ perCpuSecond }) => perCpuSecond)
  const median = (values: number[]) => summarise(values).median
  return {
    figures: [
      compareFigure(`against a loop of ${BATCH_SIZE} a transaction`, 'messages/s', pace(ours), pace(gathered), {
        atLeast: goals.gathered,
      }),
      compareFigure('against one transaction a message', 'messages/s', pace(ours), pace(single), {
        atLeast: goals.single,
      }),
      compareFigure('against the disk alone, fdatasync of 4 KiB', 'per second', pace(ours), pace(disk)),
      compareFigure(
        `against a loop of ${BATCH_SIZE} a transaction`,
        'messages per CPU second',
        cost(ours),
        cost(gathered),
      ),
    ],
    notes: [
      `${SENDER_COUNT} senders with one message under way each, each in a room of its own; synchronous=FULL everywhere, the same rows.`,
      `Answered after ${median(ours.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms (p99); load generator ${Math.round(median(ours.map(({ loadBusy }) => loadBusy)) * 100)}% busy. On 2 cores it takes its time from the server's two threads.`,
    ],
  }
}
