import type { SeededRandom } from './seeded-random.ts'
import type { SimulatedCluster } from './simulated-cluster.ts'
import { CONSUL_NODE } from './simulated-lease.ts'

export interface Fault {
  name: string
  /** Whether a primary may lose commits that no replica has yet. */
  canLoseCommits: boolean
  /** Resolves when the fault is over, healed or not. */
  inject(cluster: SimulatedCluster, random: SeededRandom): Promise<void>
}

/** The faults of a run. Each draws its target and its duration from the run's random numbers. */
export const faults: Fault[] = [
  {
    name: 'the network is slow for a while',
    canLoseCommits: false,
    async inject({ network }, random) {
      const max = random.integer(50, 400)
      network.latencyMs = { min: 1, max }
      await delay(random.integer(500, 5_000))
      network.latencyMs = { min: 1, max: 20 }
    },
  },
  {
    name: 'a browser changes networks',
    canLoseCommits: false,
    async inject({ clients }, random) {
      random.pick(clients).changeNetwork()
    },
  },
  {
    name: 'the connection of a browser becomes silent',
    canLoseCommits: false,
    async inject({ network, clients }, random) {
      const { person, region } = random.pick(clients)
      const ends = [`browser of ${person.username}`, region ?? ''] as const
      network.partition(...ends, random.isLikely(0.5))
      await delay(random.integer(200, 8_000))
      network.heal(...ends)
    },
  },
  {
    name: 'a region is restarted',
    canLoseCommits: false,
    async inject(cluster, random) {
      const primary = cluster.litefs.primaryMount()?.name
      if (!isHealthy(cluster) || !primary) return
      const name = random.isLikely(0.6) ? primary : random.pick(cluster.regions)
      // On a slow network many messages are in flight at the stop.
      const max = random.integer(10, 150)
      cluster.network.latencyMs = { min: max / 2, max }
      await delay(200)
      await cluster.endRegion(name, 'graceful')
      cluster.network.latencyMs = { min: 1, max: 20 }
      await delay(random.integer(100, 4_000))
      cluster.startRegion(name)
    },
  },
  {
    name: 'the operator moves the lease',
    canLoseCommits: false,
    async inject(cluster, random) {
      const { node } = random.pick(cluster.litefs.listMounts())
      if (isHealthy(cluster)) await node?.promote().catch(() => {}) // a refusal is no fault
    },
  },
  {
    name: 'two regions are cut from each other',
    canLoseCommits: true,
    async inject({ network, regions }, random) {
      const a = random.pick(regions)
      const b = random.pick(regions.filter((name) => name !== a))
      network.partition(a, b, random.isLikely(0.5))
      await delay(random.integer(300, 12_000))
      network.heal(a, b)
    },
  },
  {
    name: 'a region is cut off',
    canLoseCommits: true,
    async inject({ network, regions }, random) {
      const name = random.pick(regions)
      const breaksSockets = random.isLikely(0.5)
      const others = [...regions.filter((other) => other !== name), CONSUL_NODE]
      for (const other of others) network.partition(name, other, breaksSockets)
      await delay(random.integer(500, 35_000))
      for (const other of others) network.heal(name, other)
    },
  },
  {
    name: 'Consul is unreachable',
    canLoseCommits: true,
    async inject({ network, regions }, random) {
      for (const name of regions) network.partition(name, CONSUL_NODE, true)
      await delay(random.integer(1_000, 15_000))
      for (const name of regions) network.heal(name, CONSUL_NODE)
    },
  },
  {
    name: 'a region is killed',
    canLoseCommits: true,
    async inject(cluster, random) {
      const name = random.pick(cluster.regions)
      await cluster.endRegion(name, random.isLikely(0.5) ? 'site' : 'both')
      await delay(random.integer(200, 15_000))
      cluster.startRegion(name)
    },
  },
  {
    name: 'a region is restarted during another fault',
    canLoseCommits: true,
    async inject(cluster, random) {
      const name = random.pick(cluster.regions)
      await cluster.endRegion(name, 'graceful')
      await delay(random.integer(100, 4_000))
      cluster.startRegion(name)
    },
  },
]

/** Whether all regions run and agree on the primary: operators restart regions and move the lease only then. */
function isHealthy(cluster: SimulatedCluster): boolean {
  const primary = cluster.litefs.primaryMount()?.name
  return cluster.regions.every((name) => {
    const process = cluster.process(name)
    return (
      process?.isReady && !process.ended && process.region?.appContext.replicationStatus.primaryRegion() === primary
    )
  })
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
