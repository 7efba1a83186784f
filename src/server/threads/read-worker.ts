import { commandRegistry } from '../commands.ts'
import { serveReadWorker } from '../kernel/database/read-worker-thread.ts'

serveReadWorker(commandRegistry.slowReads)
