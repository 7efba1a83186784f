import { ensureTool, findTool, type ToolLookup } from './find-tool.ts'

const consul = { name: 'consul', variable: 'CONSUL', module: 'tools/consul', program: 'github.com/hashicorp/consul' }

/** Consul where it is found or already built: building it takes minutes, so only `npm run test:regions` does. */
export function findConsul(): ToolLookup {
  const found = findTool(consul)
  return 'path' in found ? found : { missing: `${found.missing}: npm run test:regions builds it` }
}

/** Consul, built where there is none. */
export function ensureConsul(): ToolLookup {
  return ensureTool(consul)
}
