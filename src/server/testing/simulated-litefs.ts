import { join } from 'node:path'
import type { Chance } from './simulated-chance.ts'
import { SimulatedFile } from './simulated-file.ts'
import { type Committed, lostWith } from './simulated-history.ts'
import type { SimulatedLease } from './simulated-lease.ts'
import type { SimulatedNetwork } from './simulated-network.ts'
import { SimulatedRun } from './simulated-run.ts'

export interface SimulatedRegion {
  name: string
  /** Where its site takes links; what LiteFS gives as the primary's hostname. */
  url: string
  isCandidate: boolean
}

export interface SimulatedLiteFsOptions {
  folder: string
  network: SimulatedNetwork
  lease: SimulatedLease
  chance: Chance
  regions: SimulatedRegion[]
  /** Transactions that are kept for regions that were away; who was away longer gets a snapshot. */
  keeps: number
}

/**
 * LiteFS under several regions in this process: a file each, of which one is written, and the others follow it as far
 * as the network lets them. It does what docs/decisions/0008 has seen the real one do.
 */
export class SimulatedLiteFs {
  readonly options: SimulatedLiteFsOptions
  /** What was committed and then thrown away, found when a region's file was replaced. */
  readonly lost = new Set<Committed>()
  private readonly mounts = new Map<string, Mount>()

  constructor(options: SimulatedLiteFsOptions) {
    this.options = options
    for (const region of options.regions) this.mounts.set(region.name, new Mount(this, region))
  }

  /** A region's mount. Throws for an unknown name. */
  at(name: string): Mount {
    const mount = this.mounts.get(name)
    if (!mount) throw new Error(`there is no region ${name}`)
    return mount
  }

  all(): Mount[] {
    return [...this.mounts.values()]
  }

  /** The region that may write now; null between two. */
  primary(): Mount | null {
    return this.all().find(({ run }) => run?.isPrimary) ?? null
  }

  /** Whether every region runs and has all that the primary has. */
  isInStep(): boolean {
    const latest = this.primary()?.latest
    return latest !== undefined && this.all().every((mount) => mount.run !== null && mount.latest === latest)
  }

  close(): void {
    for (const mount of this.mounts.values()) {
      mount.run?.end('killed')
      mount.file.close()
    }
  }
}

/** One region's LiteFS: its file stays while it is started, ends and is killed. */
export class Mount {
  readonly all: SimulatedLiteFs
  readonly region: SimulatedRegion
  readonly file: SimulatedFile
  /** What the file holds. */
  latest: Committed | null = null
  run: SimulatedRun | null = null

  constructor(all: SimulatedLiteFs, region: SimulatedRegion) {
    this.all = all
    this.region = region
    this.file = new SimulatedFile(join(all.options.folder, `${region.name}.db`))
  }

  get name(): string {
    return this.region.name
  }

  /** Starts LiteFS here: what a site that is started in it sees. */
  start(): SimulatedRun {
    if (this.run) throw new Error(`${this.name} runs already`)
    this.run = new SimulatedRun(this, this.all.options.chance.fork())
    return this.run
  }

  /** A whole file takes the place of this one: what only this one had is lost. */
  become(committed: Committed, whole: Buffer): void {
    for (const lost of lostWith(this.latest, committed)) this.all.lost.add(lost)
    this.file.become(whole)
    this.latest = committed
  }
}
