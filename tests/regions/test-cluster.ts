import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, inject, onTestFinished } from 'vitest'
import type { ToolLookup } from '../../scripts/regions/find-tool.ts'
import { listMountsBelow } from '../../scripts/regions/litefs-mounts.ts'
import { COMPILE_CACHE_ENV } from '../drivers/compile-cache.ts'
import { type Cluster, type ClusterOptions, openCluster } from './cluster.ts'

/** The lines of each region's log that a failure prints. */
const LOG_TAIL_LINES = 40

export interface TestClusterOptions extends Omit<Partial<ClusterOptions>, 'consul'> {
  /** Uses Consul's lease; static by default. */
  withConsul?: boolean
}

/** Opens a cluster that is closed when the running test ends, and checks that no folder or mount is left. */
export async function openTestCluster({ withConsul = false, ...options }: TestClusterOptions = {}): Promise<Cluster> {
  const consul = withConsul ? { consul: requireToolPath(inject('consul')) } : {}
  const cluster = await openCluster({ litefs: requireToolPath(inject('litefs')), ...consul, ...options })
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') for (const region of cluster.regions) console.log(logTail(region))
    await cluster.close()
    expect(findLeftovers()).toEqual([])
  })
  return cluster
}

/** Opens a cluster that runs the site, with limits a hundred times as high. */
export function openSiteCluster(options: TestClusterOptions = {}): Promise<Cluster> {
  return openTestCluster({ ...options, env: { MEYDAN_LIMIT_SCALE: '100', ...COMPILE_CACHE_ENV, ...options.env } })
}

/** Why the tools of a test are missing on this machine; null when all are there. */
export function findMissingTool(...tools: ('litefs' | 'consul')[]): string | null {
  const lookups = tools.map((tool) => inject(tool))
  return lookups.flatMap((tool) => ('missing' in tool ? tool.missing : [])).at(0) ?? null
}

function requireToolPath(lookup: ToolLookup): string {
  if ('missing' in lookup) throw new Error(lookup.missing)
  return lookup.path
}

function logTail({ plan, output }: Cluster['regions'][number]): string {
  // LiteFS repeats INFO lines while it searches for its primary: keep the first of each run.
  const lines = output().trimEnd().split('\n')
  const relevantLines = lines.filter(
    (line, i) => !(line.startsWith('level=INFO') && lines[i - 1]?.startsWith('level=INFO')),
  )
  return [`${plan.name}:`, ...relevantLines.slice(-LOG_TAIL_LINES)].join('\n  ')
}

/** The folders and mounts that clusters of this process have left. */
function findLeftovers(): string[] {
  const isOwn = (name: string) => name.includes(`meydan-regions-${process.pid}-`)
  return [...listMountsBelow(tmpdir()).filter(isOwn), ...readdirSync(tmpdir()).filter(isOwn)]
}
