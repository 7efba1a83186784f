import { isMainThread } from 'node:worker_threads'

/** What the bench may ask a program that it started. */
export type ProbeMetric = 'cpuSeconds' | 'residentBytes'
export interface ProbeRequest {
  ask: ProbeMetric
  id: number
}
export interface ProbeAnswer {
  id: number
  value: number
}

/** Preloaded into every program under test, so that ours and the peers are asked in the same way. */
if (isMainThread && process.send) {
  process.on('message', (message) => {
    if (isProbeRequest(message))
      process.send?.({ id: message.id, value: readMetric(message.ask) } satisfies ProbeAnswer)
  })
  // Nothing under test outlives the bench that started it.
  process.on('disconnect', () => process.exit())
  process.channel?.unref()
}

function readMetric(question: ProbeMetric): number {
  if (question === 'cpuSeconds') {
    // getrusage of the whole process: every thread, kernel time too, in microseconds.
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  // Garbage is no part of what an idle connection costs; twice, as finalizers free more.
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage.rss()
}

function isProbeRequest(message: unknown): message is ProbeRequest {
  return typeof message === 'object' && message !== null && 'ask' in message && 'id' in message
}
