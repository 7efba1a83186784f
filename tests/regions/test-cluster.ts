import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, inject, onTestFinished } from 'vitest'
import type { ToolLookup } from '../../scripts/regions/find-tool.ts'
import { listMountsBelow } from '../../scripts/regions/litefs-mounts.ts'
import { COMPILE_CACHE_ENV } from '../drivers/compile-cache.ts'
import { type Cluster, type ClusterOptions, openCluster } from './cluster.ts'

/** What is printed of each region's log beside a failure. */
const LOG_TAIL_LINES = 40

export interface TestClusterOptions extends Omit<Partial<ClusterOptions>, 'consul'> {
  /** With Consul's lease; by default it is static. */
  withConsul?: boolean
}

/** Regions for the test that runs: they end with it, whatever became of it, and leave nothing behind. */
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

/** As `open`, with the real site: nobody is slowed down for coming often. */
export function openSiteCluster(options: TestClusterOptions = {}): Promise<Cluster> {
  return openTestCluster({ ...options, env: { MEYDAN_LIMIT_SCALE: '100', ...COMPILE_CACHE_ENV, ...options.env } })
}

/** Why tests on LiteFS, with Consul where they need it, cannot run here; null where they can. */
export function findMissingTool(...tools: ('litefs' | 'consul')[]): string | null {
  const found = tools.map((tool) => inject(tool))
  return found.flatMap((tool) => ('missing' in tool ? tool.missing : [])).at(0) ?? null
}

function requireToolPath(found: ToolLookup): string {
  if ('missing' in found) throw new Error(found.missing)
  return found.path
}

function logTail({ plan, output }: Cluster['regions'][number]): string {
  // What LiteFS repeats while it looks for its primary would crowd out the rest.
  const lines = output().trimEnd().split('\n')
  const telling = lines.filter((line, i) => !(line.startsWith('level=INFO') && lines[i - 1]?.startsWith('level=INFO')))
  return [`${plan.name}:`, ...telling.slice(-LOG_TAIL_LINES)].join('\n  ')
}

/** What clusters of this process have not cleared up. */
function findLeftovers(): string[] {
  const mine = (name: string) => name.includes(`meydan-regions-${process.pid}-`)
  return [...listMountsBelow(tmpdir()).filter(mine), ...readdirSync(tmpdir()).filter(mine)]
}
