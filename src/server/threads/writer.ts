import { commandRegistry } from '../commands.ts'
import { serveWriterThread } from '../kernel/database/writer-thread.ts'

await serveWriterThread(commandRegistry)
