import { Worker } from 'node:worker_threads'

/**
 * Ends this process, by SIGKILL, when LiteFS has died under it: from a thread of its own, because the main thread may
 * just be in a read that LiteFS does not answer any more, and that blocks it for about 10 s (decision 0008).
 */
export function startLiteFsWatchdog(url: string, databaseFile: string): void {
  const thread = new Worker(new URL('./litefs-watchdog-thread.ts', import.meta.url), {
    workerData: { url, databaseFile },
  })
  thread.unref()
}
