import { parentPort, workerData } from 'node:worker_threads'
import { serveRelay } from './relay-server.ts'
import type { RelayThreadData } from './worker-protocol.ts'

// Only spawn-relay-thread.ts starts this. Messages that arrive while this module loads wait in the port.
if (parentPort) await serveRelay(parentPort, workerData as RelayThreadData) // it is started with this
