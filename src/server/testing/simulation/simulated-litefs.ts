import { join } from 'node:path'
import { type Commit, commitsMissingFrom } from './commit-history.ts'
import type { SeededRandom } from './seeded-random.ts'
import { SimulatedDatabaseFile } from './simulated-database-file.ts'
import type { SimulatedLease } from './simulated-lease.ts'
import { SimulatedLiteFsNode } from './simulated-litefs-node.ts'
import type { SimulatedNetwork } from './simulated-network.ts'

export interface SimulatedRegionConfig {
  name: string
  /** The URL for links to its site, which LiteFS reports as the primary's hostname. */
  url: string
  isCandidate: boolean
}

export interface SimulatedLiteFsOptions {
  folder: string
  network: SimulatedNetwork
  lease: SimulatedLease
  random: SeededRandom
  regions: SimulatedRegionConfig[]
  /** Number of transactions kept for replicas that reconnect; one that misses more gets a snapshot. */
  retainedCommits: number
}

/**
 * LiteFS under several regions in this process: one database file per region; replicas follow the primary as far as the
 * network allows. It behaves as docs/decisions/0008 describes the real LiteFS.
 */
export class SimulatedLiteFs {
  readonly options: SimulatedLiteFsOptions
  /** Commits that were lost when a snapshot replaced a region's file. */
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

  /** The primary's mount; null while there is none. */
  primaryMount(): SimulatedMount | null {
    return this.listMounts().find(({ node }) => node?.isPrimary) ?? null
  }

  /** Whether every region runs and has the primary's last commit. */
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

/** One region's LiteFS mount. Its file outlives starts, stops and kills of the node. */
export class SimulatedMount {
  readonly liteFs: SimulatedLiteFs
  readonly region: SimulatedRegionConfig
  readonly file: SimulatedDatabaseFile
  /** The last commit in the file. */
  lastCommit: Commit | null = null
  node: SimulatedLiteFsNode | null = null

  constructor(liteFs: SimulatedLiteFs, region: SimulatedRegionConfig) {
    this.liteFs = liteFs
    this.region = region
    this.file = new SimulatedDatabaseFile(join(liteFs.options.folder, `${region.name}.db`))
  }

  get name(): string {
    return this.region.name
  }

  /** Starts LiteFS. Throws when it runs already. */
  start(): SimulatedLiteFsNode {
    if (this.node) throw new Error(`${this.name} runs already`)
    this.node = new SimulatedLiteFsNode(this, this.liteFs.options.random.fork())
    return this.node
  }

  /** Replaces the file with a snapshot; commits that only this file had are lost. */
  restoreSnapshot(commit: Commit, file: Buffer): void {
    for (const lost of commitsMissingFrom(this.lastCommit, commit)) this.liteFs.lostCommits.add(lost)
    this.file.restoreSnapshot(file)
    this.lastCommit = commit
  }
}
