import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchClient, type BenchSubject, connectAll, type RunningSubject } from '../subjects/subject.ts'
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
  /** Without the CPU of worker threads, such as the writer of ours. */
  deliveriesPerMainCpuSecond: number
  p50Ms: number
  p99Ms: number
  /** Share of time in which the load generator is busy; near 1 the latencies include its own queue. */
  loadBusy: number
  /** Deliveries that do not arrive within 20 s of the last message. */
  missingDeliveries: number
}

/** A running subject with a full room, reused for every round. */
export interface FilledSubject {
  site: RunningSubject
  clients: BenchClient[]
}

/** Starts a subject and fills one room. The first client is the sender. */
export async function startFilledSubject(subject: BenchSubject, sockets: number): Promise<FilledSubject> {
  const site = await subject.start()
  const clients = await connectAll(await site.prepareClients(sockets))
  await site.openRoom(clients)
  return { site, clients }
}

/** One client sends at a fixed rate to all; reads the server's CPU before and after. */
export async function runBroadcast({ site, clients }: FilledSubject, load: BroadcastLoad): Promise<BroadcastResult> {
  const deliveries = new DeliveryCounter()
  deliveries.listen(clients)
  const busyBefore = performance.eventLoopUtilization()
  const cpuBefore = await readCpu(site)
  const sentCount = await sendOnSchedule(clients, deliveries, load)
  const expected = sentCount * clients.length
  await deliveries.waitForCount(expected, DRAIN_TIMEOUT_MS)
  const cpu = await readCpu(site)
  const cpuSeconds = cpu.process - cpuBefore.process
  return {
    deliveriesPerCpuSecond: deliveries.count / cpuSeconds,
    deliveriesPerMainCpuSecond: deliveries.count / (cpuSeconds - (cpu.workers - cpuBefore.workers)),
    p50Ms: deliveries.latency.percentile(50) / 1000,
    p99Ms: deliveries.latency.percentile(99) / 1000,
    loadBusy: performance.eventLoopUtilization(busyBefore).utilization,
    missingDeliveries: expected - deliveries.count,
  }
}

/** CPU seconds since the start. */
async function readCpu({ server }: RunningSubject): Promise<{ process: number; workers: number }> {
  return { process: await server.cpuSeconds(), workers: (await server.workerCpuSeconds?.()) ?? 0 }
}

/** Sends on a fixed schedule (an open loop) and waits for the answers at the end. Returns the number sent. */
async function sendOnSchedule(
  clients: BenchClient[],
  deliveries: DeliveryCounter,
  load: BroadcastLoad,
): Promise<number> {
  const [sender] = clients
  if (!sender) throw new Error('no client to send from')
  const total = load.perSecond * load.seconds
  const answers: Promise<void>[] = []
  const startedAt = performance.now()
  while (answers.length < total) {
    const dueAt = startedAt + (answers.length * 1000) / load.perSecond
    const delayMs = dueAt - performance.now()
    if (delayMs > 0) await sleep(delayMs)
    const answered = sender.sendMessage(numberedText(deliveries.scheduleMessage(dueAt), load.bytes))
    // Awaited below; a rejection before that must not end the process.
    answered.catch(() => {})
    answers.push(answered)
  }
  await Promise.all(answers)
  return total
}
