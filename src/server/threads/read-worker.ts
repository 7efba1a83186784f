import { indexByName } from '../kernel/database/commands/command-registry.ts'
import { serveReadWorker } from '../kernel/database/read-worker-thread.ts'
import { slowReads } from '../slow-reads.ts'

serveReadWorker(indexByName('slow reads', slowReads))
