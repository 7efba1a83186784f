import { createLog } from '../src/server/operations/logging.ts'
import { ensureBuild } from '../src/server/render/build.ts'

await ensureBuild(createLog({ logLevel: 'info' }))
