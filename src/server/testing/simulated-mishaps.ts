import type { Chance } from './simulated-chance.ts'
import { CONSUL } from './simulated-lease.ts'
import type { SimulatedSite } from './simulated-site.ts'

export interface Mishap {
  name: string
  /** Whether a primary may lose what it alone had. */
  mayLose: boolean
  /** Resolves when it is over, healed or not. */
  happen(site: SimulatedSite, chance: Chance): Promise<void>
}

/** What befalls a site. Each draws its place and its length from the run's chance. */
export const mishaps: Mishap[] = [
  {
    name: 'the network is slow for a while',
    mayLose: false,
    async happen({ network }, chance) {
      const most = chance.whole(50, 400)
      network.lag = { least: 1, most }
      await pause(chance.whole(500, 5_000))
      network.lag = { least: 1, most: 20 }
    },
  },
  {
    name: 'a browser changes networks',
    mayLose: false,
    async happen({ clients }, chance) {
      chance.pick(clients).move()
    },
  },
  {
    name: 'the line of a browser falls silent',
    mayLose: false,
    async happen({ network, clients }, chance) {
      const { person, region } = chance.pick(clients)
      const between = [`browser of ${person.username}`, region ?? ''] as const
      network.cut(...between, chance.happens(0.5))
      await pause(chance.whole(200, 8_000))
      network.heal(...between)
    },
  },
  {
    name: 'a region is restarted',
    mayLose: false,
    async happen(site, chance) {
      const primary = site.litefs.primary()?.name
      if (!isWell(site) || !primary) return
      const name = chance.happens(0.6) ? primary : chance.pick(site.regions)
      // On a slow network much is on its way to the others.
      const most = chance.whole(10, 150)
      site.network.lag = { least: most / 2, most }
      await pause(200)
      await site.end(name, 'inOrder')
      site.network.lag = { least: 1, most: 20 }
      await pause(chance.whole(100, 4_000))
      site.start(name)
    },
  },
  {
    name: 'the lease is moved by hand',
    mayLose: false,
    async happen(site, chance) {
      const { run } = chance.pick(site.litefs.all())
      if (isWell(site)) await run?.promote().catch(() => {}) // it may be refused
    },
  },
  {
    name: 'two regions are cut from each other',
    mayLose: true,
    async happen({ network, regions }, chance) {
      const a = chance.pick(regions)
      const b = chance.pick(regions.filter((name) => name !== a))
      network.cut(a, b, chance.happens(0.5))
      await pause(chance.whole(300, 12_000))
      network.heal(a, b)
    },
  },
  {
    name: 'a region is cut off',
    mayLose: true,
    async happen({ network, regions }, chance) {
      const name = chance.pick(regions)
      const breaks = chance.happens(0.5)
      const others = [...regions.filter((other) => other !== name), CONSUL]
      for (const other of others) network.cut(name, other, breaks)
      await pause(chance.whole(500, 35_000))
      for (const other of others) network.heal(name, other)
    },
  },
  {
    name: 'Consul is away',
    mayLose: true,
    async happen({ network, regions }, chance) {
      for (const name of regions) network.cut(name, CONSUL, true)
      await pause(chance.whole(1_000, 15_000))
      for (const name of regions) network.heal(name, CONSUL)
    },
  },
  {
    name: 'a region is killed',
    mayLose: true,
    async happen(site, chance) {
      const name = chance.pick(site.regions)
      await site.end(name, chance.happens(0.5) ? 'site' : 'both')
      await pause(chance.whole(200, 15_000))
      site.start(name)
    },
  },
  {
    name: 'a region is restarted in the middle of something',
    mayLose: true,
    async happen(site, chance) {
      const name = chance.pick(site.regions)
      await site.end(name, 'inOrder')
      await pause(chance.whole(100, 4_000))
      site.start(name)
    },
  },
]

/** Whoever does something to regions by hand does it one at a time, while all of them run and agree on who leads. */
function isWell(site: SimulatedSite): boolean {
  const primary = site.litefs.primary()?.name
  return site.regions.every((name) => {
    const process = site.process(name)
    return (
      process?.isReady && !process.ended && process.region?.appContext.replicationStatus.primaryRegion() === primary
    )
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
