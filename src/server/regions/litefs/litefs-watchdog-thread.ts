import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { LiteFsEventStream } from './litefs-events.ts'
import { isMountDead } from './litefs-mount.ts'

const { url, databaseFile } = workerData as { url: string; databaseFile: string } // what litefs-watchdog.ts hands over

new LiteFsEventStream(url, {
  onEvents: () => {},
  onBroken: (_, isRefused) => {
    if (!isMountDead(databaseFile, isRefused)) return
    try {
      // A thread's own process.stderr goes through the main thread.
      writeSync(2, 'LiteFS has died under the site, which ends\n')
    } finally {
      process.kill(process.pid, 'SIGKILL')
    }
  },
}).open()
