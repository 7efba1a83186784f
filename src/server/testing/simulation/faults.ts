import type { SeededRandom } from './seeded-random.ts'
import type { SimulatedCluster } from './simulated-cluster.ts'
import { CONSUL_NODE } from './simulated-lease.ts'

export interface Fault {
  name: string
  /** Whether a primary may lose what it alone had. */
  canLoseCommits: boolean
  /** Resolves when it is over, healed or not. */
  inject(site: SimulatedCluster, chance: SeededRandom): Promise<void>
}

/** What befalls a site. Each draws its place and its length from the run's chance. */
export const faults: Fault[] = [
  {
    name: 'the network is slow for a while',
    canLoseCommits: false,
    async inject({ network }, chance) {
      const most = chance.integer(50, 400)
      network.latencyMs = { least: 1, most }
      await delay(chance.integer(500, 5_000))
      network.latencyMs = { least: 1, most: 20 }
    },
  },
  {
    name: 'a browser changes networks',
    canLoseCommits: false,
    async inject({ clients }, chance) {
      chance.pick(clients).changeNetwork()
    },
  },
  {
    name: 'the line of a browser falls silent',
    canLoseCommits: false,
    async inject({ network, clients }, chance) {
      const { person, region } = chance.pick(clients)
      const between = [`browser of ${person.username}`, region ?? ''] as const
      network.partition(...between, chance.isLikely(0.5))
      await delay(chance.integer(200, 8_000))
      network.heal(...between)
    },
  },
  {
    name: 'a region is restarted',
    canLoseCommits: false,
    async inject(site, chance) {
      const primary = site.litefs.primaryMount()?.name
      if (!isHealthy(site) || !primary) return
      const name = chance.isLikely(0.6) ? primary : chance.pick(site.regions)
      // On a slow network much is on its way to the others.
      const most = chance.integer(10, 150)
      site.network.latencyMs = { least: most / 2, most }
      await delay(200)
      await site.endRegion(name, 'graceful')
      site.network.latencyMs = { least: 1, most: 20 }
      await delay(chance.integer(100, 4_000))
      site.startRegion(name)
    },
  },
  {
    name: 'the lease is moved by hand',
    canLoseCommits: false,
    async inject(site, chance) {
      const { node } = chance.pick(site.litefs.listMounts())
      if (isHealthy(site)) await node?.promote().catch(() => {}) // it may be refused
    },
  },
  {
    name: 'two regions are cut from each other',
    canLoseCommits: true,
    async inject({ network, regions }, chance) {
      const a = chance.pick(regions)
      const b = chance.pick(regions.filter((name) => name !== a))
      network.partition(a, b, chance.isLikely(0.5))
      await delay(chance.integer(300, 12_000))
      network.heal(a, b)
    },
  },
  {
    name: 'a region is cut off',
    canLoseCommits: true,
    async inject({ network, regions }, chance) {
      const name = chance.pick(regions)
      const breaks = chance.isLikely(0.5)
      const others = [...regions.filter((other) => other !== name), CONSUL_NODE]
      for (const other of others) network.partition(name, other, breaks)
      await delay(chance.integer(500, 35_000))
      for (const other of others) network.heal(name, other)
    },
  },
  {
    name: 'Consul is away',
    canLoseCommits: true,
    async inject({ network, regions }, chance) {
      for (const name of regions) network.partition(name, CONSUL_NODE, true)
      await delay(chance.integer(1_000, 15_000))
      for (const name of regions) network.heal(name, CONSUL_NODE)
    },
  },
  {
    name: 'a region is killed',
    canLoseCommits: true,
    async inject(site, chance) {
      const name = chance.pick(site.regions)
      await site.endRegion(name, chance.isLikely(0.5) ? 'site' : 'both')
      await delay(chance.integer(200, 15_000))
      site.startRegion(name)
    },
  },
  {
    name: 'a region is restarted in the middle of something',
    canLoseCommits: true,
    async inject(site, chance) {
      const name = chance.pick(site.regions)
      await site.endRegion(name, 'graceful')
      await delay(chance.integer(100, 4_000))
      site.startRegion(name)
    },
  },
]

/** Whoever does something to regions by hand does it one at a time, while all of them run and agree on who leads. */
function isHealthy(site: SimulatedCluster): boolean {
  const primary = site.litefs.primaryMount()?.name
  return site.regions.every((name) => {
    const process = site.process(name)
    return (
      process?.isReady && !process.ended && process.region?.appContext.replicationStatus.primaryRegion() === primary
    )
  })
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
