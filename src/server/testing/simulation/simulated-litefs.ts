import { join } from 'node:path'
import { type Commit, commitsMissingFrom } from './commit-history.ts'
import type { SeededRandom } from './seeded-random.ts'
import { SimulatedDatabaseFile } from './simulated-database-file.ts'
import type { SimulatedLease } from './simulated-lease.ts'
import { SimulatedLiteFsNode } from './simulated-litefs-node.ts'
import type { SimulatedNetwork } from './simulated-network.ts'

export interface SimulatedRegionConfig {
  name: string
  /** Where its site takes links; what LiteFS gives as the primary's hostname. */
  url: string
  isCandidate: boolean
}

export interface SimulatedLiteFsOptions {
  folder: string
  network: SimulatedNetwork
  lease: SimulatedLease
  random: SeededRandom
  regions: SimulatedRegionConfig[]
  /** Transactions that are kept for regions that were away; who was away longer gets a snapshot. */
  retainedCommits: number
}

/**
 * LiteFS under several regions in this process: a file each, of which one is written, and the others follow it as far
 * as the network lets them. It does what docs/decisions/0008 has seen the real one do.
 */
export class SimulatedLiteFs {
  readonly options: SimulatedLiteFsOptions
  /** What was committed and then thrown away, found when a region's file was replaced. */
  readonly lostCommits = new Set<Commit>()
  private readonly mounts = new Map<string, SimulatedMount>()

  constructor(options: SimulatedLiteFsOptions) {
    this.options = options
    for (const region of options.regions) this.mounts.set(region.name, new SimulatedMount(this, region))
  }

  /** A region's mount. Throws for an unknown name. */
  mountOf(name: string): SimulatedMount {
    const mount = this.mounts.get(name)
    if (!mount) throw new Error(`there is no region ${name}`)
    return mount
  }

  listMounts(): SimulatedMount[] {
    return [...this.mounts.values()]
  }

  /** The region that may write now; null between two. */
  primaryMount(): SimulatedMount | null {
    return this.listMounts().find(({ node }) => node?.isPrimary) ?? null
  }

  /** Whether every region runs and has all that the primary has. */
  isInSync(): boolean {
    const latest = this.primaryMount()?.lastCommit
    return (
      latest !== undefined && this.listMounts().every((mount) => mount.node !== null && mount.lastCommit === latest)
    )
  }

  close(): void {
    for (const mount of this.mounts.values()) {
      mount.node?.stop('killed')
      mount.file.close()
    }
  }
}

/** One region's LiteFS: its file stays while it is started, ends and is killed. */
export class SimulatedMount {
  readonly liteFs: SimulatedLiteFs
  readonly region: SimulatedRegionConfig
  readonly file: SimulatedDatabaseFile
  /** What the file holds. */
  lastCommit: Commit | null = null
  node: SimulatedLiteFsNode | null = null

  constructor(all: SimulatedLiteFs, region: SimulatedRegionConfig) {
    this.liteFs = all
    this.region = region
    this.file = new SimulatedDatabaseFile(join(all.options.folder, `${region.name}.db`))
  }

  get name(): string {
    return this.region.name
  }

  /** Starts LiteFS here: what a site that is started in it sees. */
  start(): SimulatedLiteFsNode {
    if (this.node) throw new Error(`${this.name} runs already`)
    this.node = new SimulatedLiteFsNode(this, this.liteFs.options.random.fork())
    return this.node
  }

  /** A whole file takes the place of this one: what only this one had is lost. */
  restoreSnapshot(committed: Commit, whole: Buffer): void {
    for (const lost of commitsMissingFrom(this.lastCommit, committed)) this.liteFs.lostCommits.add(lost)
    this.file.restoreSnapshot(whole)
    this.lastCommit = committed
  }
}
