import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread, type Worker } from 'node:worker_threads'

/**
 * Metrics that the bench can read from a process that it started. `loopDelayMs` is the 99th percentile of the delays of
 * its event loop since the last reading.
 */
export type ProbeMetric = 'cpuSeconds' | 'workerCpuSeconds' | 'residentBytes' | 'loopDelayMs'
export interface ProbeRequest {
  ask: ProbeMetric
  id: number
}
export interface ProbeAnswer {
  id: number
  value: number
}

const loopDelay = monitorEventLoopDelay({ resolution: 1 })

/** Preloaded into every program under test, so that ours and the peers are measured in the same way. */
if (isMainThread && process.send) {
  const workers: Worker[] = []
  process.on('worker', (worker) => {
    workers.push(worker)
    worker.once('exit', () => workers.splice(workers.indexOf(worker), 1))
  })
  process.on('message', async (message) => {
    if (!isProbeRequest(message)) return
    const value = message.ask === 'workerCpuSeconds' ? await sumCpuSeconds(workers) : readMetric(message.ask)
    process.send?.({ id: message.id, value } satisfies ProbeAnswer)
  })
  // A program under test must not outlive the bench.
  process.on('disconnect', () => process.exit())
  process.channel?.unref()
}

async function sumCpuSeconds(workers: Worker[]): Promise<number> {
  const usages = await Promise.all(workers.map((worker) => worker.cpuUsage()))
  return usages.reduce((sum, { user, system }) => sum + user + system, 0) / 1e6
}

function readMetric(metric: Exclude<ProbeMetric, 'workerCpuSeconds'>): number {
  if (metric === 'cpuSeconds') {
    // getrusage of the whole process: every thread, kernel time too, in microseconds.
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  if (metric === 'loopDelayMs') {
    // Enabled by the first reading, because it wakes the process every millisecond.
    loopDelay.enable()
    const p99Ms = loopDelay.percentile(99) / 1e6
    loopDelay.reset()
    return p99Ms
  }
  // Garbage is not a cost of an idle connection; the second pass frees what finalizers released.
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage.rss()
}

function isProbeRequest(message: unknown): message is ProbeRequest {
  return typeof message === 'object' && message !== null && 'ask' in message && 'id' in message
}
