import { createLog } from '../src/server/kernel/operations/logging.ts'
import { ensureBuild } from '../src/server/kernel/render/build.ts'

await ensureBuild(createLog({ logLevel: 'info' }))
