import { ensureTool, findTool, type ToolLookup } from './find-tool.ts'

const consul = { name: 'consul', variable: 'CONSUL', module: 'tools/consul', program: 'github.com/hashicorp/consul' }

/** Finds an installed or already built Consul. Only `npm run test:regions` builds it, because that takes minutes. */
export function findConsul(): ToolLookup {
  const found = findTool(consul)
  return 'path' in found ? found : { missing: `${found.missing}: npm run test:regions builds it` }
}

/** Finds Consul, or builds it. */
export function ensureConsul(): ToolLookup {
  return ensureTool(consul)
}
