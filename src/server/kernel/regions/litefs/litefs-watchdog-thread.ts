import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { LiteFsEventStream } from './litefs-events.ts'
import { isMountDead } from './litefs-mount.ts'

const { url, databaseFile } = workerData as { url: string; databaseFile: string } // set by litefs-watchdog.ts

new LiteFsEventStream(url, {
  onEvents: () => {},
  onBroken: (_, isRefused) => {
    if (!isMountDead(databaseFile, isRefused)) return
    try {
      // A thread's own process.stderr goes through the main thread.
      writeSync(2, 'LiteFS is dead, exiting\n')
    } finally {
      process.kill(process.pid, 'SIGKILL')
    }
  },
}).open()
