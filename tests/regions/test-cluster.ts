import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeEach, expect, inject, onTestFinished } from 'vitest'
import type { ToolLookup } from '../../scripts/regions/find-tool.ts'
import { listMountsBelow } from '../../scripts/regions/litefs-mounts.ts'
import { COMPILE_CACHE_ENV } from '../drivers/compile-cache.ts'
import { type Cluster, type ClusterOptions, openCluster } from './cluster.ts'

/** The lines of each region's log that a failure prints. */
const LOG_TAIL_LINES = 40
/** The wait of a guest between entering a room and the first message, where it is not what a test is about. */
const SHORT_JOIN_WAIT_MS = 200

export interface TestClusterOptions extends Omit<Partial<ClusterOptions>, 'consul'> {
  /** Uses Consul's lease; static by default. */
  withConsul?: boolean
}

/** Opens a cluster that is closed when the running test ends, and checks that no folder or mount is left. */
export async function openTestCluster(options: TestClusterOptions = {}): Promise<Cluster> {
  const cluster = await openUnattended(options)
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') printLogs(cluster)
    await closeCleanly(cluster)
  })
  return cluster
}

/** Opens a cluster that runs the site, with limits a hundred times as high and a short wait before the first message. */
export function openSiteCluster(options: TestClusterOptions = {}): Promise<Cluster> {
  return openTestCluster(withSiteEnv(options))
}

/** A cluster that several tests use, one after another. */
class SharedCluster {
  private cluster: Cluster | null = null
  private readonly options: TestClusterOptions

  constructor(options: TestClusterOptions) {
    this.options = options
  }

  async open(): Promise<void> {
    this.cluster ??= await openUnattended(withSiteEnv(this.options))
  }

  /** Throws outside of a test. */
  get(): Cluster {
    if (!this.cluster) throw new Error('the cluster is open only while a test runs')
    return this.cluster
  }

  resetConditions(): void {
    this.cluster?.resetConditions()
  }

  async close(): Promise<void> {
    const closing = this.cluster
    this.cluster = null
    if (closing) await closeCleanly(closing)
  }

  async printLogsAndClose(): Promise<void> {
    if (this.cluster) printLogs(this.cluster)
    await this.close()
  }
}

/**
 * Opens one site cluster for all tests of a `describe`, as starting one takes longer than most tests. A failed test may
 * leave it broken, so the next one gets a new cluster.
 */
export function shareSiteCluster(options: TestClusterOptions = {}): () => Cluster {
  const shared = new SharedCluster(options)
  afterAll(() => shared.close())
  return openBeforeEach(shared)
}

/** Three regions; commands that await a replica are answered when two of them have the write. */
const fileCluster = new SharedCluster({
  env: { MEYDAN_AWAIT_REPLICA_ACK: '1', MEYDAN_TRUSTED_PROXIES: '127.0.0.1' },
})

/**
 * The cluster of all modules of a test file that call it, for tests that neither stop regions nor need an empty site; each
 * has users of its own, and takes back what it changes in room 1. The file closes it.
 */
export function shareFileCluster(): () => Cluster {
  return openBeforeEach(fileCluster)
}

export function closeFileCluster(): Promise<void> {
  return fileCluster.close()
}

/** Opens the cluster before the first test, and closes it after a failed one. */
function openBeforeEach(shared: SharedCluster): () => Cluster {
  beforeEach(() => shared.open())
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await shared.printLogsAndClose()
    else shared.resetConditions()
  })
  return () => shared.get()
}

function withSiteEnv(options: TestClusterOptions): TestClusterOptions {
  const env = { MEYDAN_LIMIT_SCALE: '100', MEYDAN_JOIN_WAIT_MS: String(SHORT_JOIN_WAIT_MS), ...COMPILE_CACHE_ENV }
  return { ...options, env: { ...env, ...options.env } }
}

/** Opens a cluster that the caller closes. */
function openUnattended({ withConsul = false, ...options }: TestClusterOptions): Promise<Cluster> {
  const consul = withConsul ? { consul: requireToolPath(inject('consul')) } : {}
  return openCluster({ litefs: requireToolPath(inject('litefs')), ...consul, ...options })
}

async function closeCleanly(cluster: Cluster): Promise<void> {
  await cluster.close()
  expect(findLeftovers()).toEqual([])
}

function printLogs(cluster: Cluster): void {
  for (const region of cluster.regions) console.log(logTail(region))
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
