import { Worker } from 'node:worker_threads'

/**
 * Kills this process (SIGKILL) when LiteFS dies. It runs in a thread of its own, because the main thread may be blocked
 * for about 10 s in a read that LiteFS no longer answers (decision 0008).
 */
export function startLiteFsWatchdog(url: string, databaseFile: string): void {
  const thread = new Worker(new URL('./litefs-watchdog-thread.ts', import.meta.url), {
    workerData: { url, databaseFile },
  })
  thread.unref()
}
