import { isMainThread } from 'node:worker_threads'

/** Metrics that the bench can read from a process that it started. */
export type ProbeMetric = 'cpuSeconds' | 'residentBytes'
export interface ProbeRequest {
  ask: ProbeMetric
  id: number
}
export interface ProbeAnswer {
  id: number
  value: number
}

/** Preloaded into every program under test, so that ours and the peers are measured in the same way. */
if (isMainThread && process.send) {
  process.on('message', (message) => {
    if (isProbeRequest(message))
      process.send?.({ id: message.id, value: readMetric(message.ask) } satisfies ProbeAnswer)
  })
  // A program under test must not outlive the bench.
  process.on('disconnect', () => process.exit())
  process.channel?.unref()
}

function readMetric(metric: ProbeMetric): number {
  if (metric === 'cpuSeconds') {
    // getrusage of the whole process: every thread, kernel time too, in microseconds.
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  // Garbage is not a cost of an idle connection; the second pass frees what finalizers released.
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage.rss()
}

function isProbeRequest(message: unknown): message is ProbeRequest {
  return typeof message === 'object' && message !== null && 'ask' in message && 'id' in message
}
