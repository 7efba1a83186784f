import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'

/** The ceiling of durable single writes: appends a page of 4 KiB and syncs it, in a loop. */
export interface Task {
  file: string
  seconds: number
}

const PAGE = Buffer.alloc(4096, 1)
const { file, seconds } = JSON.parse(process.argv[2] ?? '{}') as Task
const descriptor = openSync(file, 'w')
const startedAt = performance.now()
let synced = 0
while (performance.now() - startedAt < seconds * 1000) {
  writeSync(descriptor, PAGE)
  fdatasyncSync(descriptor)
  synced += 1
}
console.log(JSON.stringify({ perSecond: (synced * 1000) / (performance.now() - startedAt) }))
closeSync(descriptor)
