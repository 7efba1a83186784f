import { join } from 'node:path'
import { planRegions } from '../../scripts/regions/plan-regions.ts'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { litefsOf, mountOf } from '../../scripts/regions/region-plan.ts'
import { createRegionProcess, type RegionProcess } from '../../scripts/regions/region-process.ts'
import {
  killAndUnmountRegionsFolder,
  makeRegionsFolder,
  removeRegionsFolder,
  removeStaleFolders,
} from '../../scripts/regions/regions-folder.ts'
import { type FaultProxy, type NetworkCondition, openFaultProxy } from '../drivers/fault-proxy.ts'
import { isConnectionOwner } from './connection-owner.ts'
import { type ConsulProcess, createConsulProcess } from './consul-process.ts'

/** Regions on this machine with a network between them that can be cut. Clients of the test reach each directly. */
export interface Cluster {
  readonly regions: RegionProcess[]
  readonly consul: ConsulProcess | null
  /** The region of that name. Throws when there is none. */
  region(name: string): RegionProcess
  /** What becomes of everything between this region and the others, Consul included, or of these kinds alone. */
  setCondition(name: string, fate: NetworkCondition, kinds?: TrafficKind[]): void
  /** The network as it was at the start. */
  resetConditions(): void
  /** The name of the region that has the lease, when one has. */
  primary(): Promise<string | null>
  /** Hands the lease over, as an operator does; resolves when the region has it. Needs Consul. */
  promote(name: string): Promise<void>
  /** Ends, unmounts and removes everything, without ceremony: how a site ends well is for tests of that. */
  close(): Promise<void>
}

export interface ClusterOptions {
  litefs: string
  /** Consul's executable; without it the first region is the primary, for good. */
  consul?: string
  names?: string[]
  /** What LiteFS starts, if not the site. */
  command?: string[]
  env?: Record<string, string>
  /** Further variables of one region. */
  envOf?: Record<string, Record<string, string>>
}

/** What goes between regions: the sites' links, replication, and what candidates ask of Consul. */
export type TrafficKind = 'link' | 'litefs' | 'consul'

const NORMAL_CONDITION: NetworkCondition = { passesAfterMs: 0 }

/** Starts the regions and waits until each is ready. When that fails, or the process ends, nothing stays mounted. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { litefs, consul, names = ['ist', 'fra', 'sin'], envOf, ...same } = options
  await removeStaleFolders()
  const folder = makeRegionsFolder()
  const abandon = () => killAndUnmountRegionsFolder(folder)
  process.once('exit', abandon)
  const regions: RegionProcess[] = []
  const network = createNetwork(regions)
  const server = consul ? createConsulProcess(consul, join(folder, 'consul')) : null

  const close = async () => {
    await removeRegionsFolder(folder)
    await Promise.all([server?.kill9(), network.close()])
    process.off('exit', abandon)
  }
  try {
    await server?.start()
    const plans = await planRegions({
      folder,
      names,
      advertise: async (name, sitePort, litefsPort) => ({
        link: await network.inFrontOf(sitePort, 'link', name),
        litefs: await network.inFrontOf(litefsPort, 'litefs', name),
      }),
      ...(server && { consul: await network.inFrontOf(server.port, 'consul', null) }),
      ...same,
    })
    for (const plan of plans) plan.env = { ...plan.env, ...envOf?.[plan.name] }
    regions.push(...plans.map((plan) => createRegionProcess(plan, litefs)))
    await Promise.all(regions.map((region) => region.start()))
  } catch (error) {
    await close()
    throw error
  }

  const region = (name: string) => {
    const found = regions.find(({ plan }) => plan.name === name)
    if (!found) throw new Error(`There is no region ${name}.`)
    return found
  }
  return {
    regions,
    consul: server,
    region,
    setCondition: network.setFate,
    resetConditions: network.heal,
    primary: () => findPrimary(regions),
    promote: async (name) => {
      const answer = await fetch(`${litefsOf(region(name).plan)}/promote`, { method: 'POST' })
      if (!answer.ok) throw new Error(`${name} is not promoted: ${await answer.text()}`)
      await pollUntil(`${name} is the primary`, async () => (await findPrimary(regions)) === name)
    },
    close,
  }
}

/** Relays in front of everything that regions reach of each other, each connection known by its two ends. */
function createNetwork(regions: RegionProcess[]) {
  const relays: FaultProxy[] = []
  const fates = new Map<string, { fate: NetworkCondition; kinds: TrafficKind[] }>()
  const fateBetween = (caller: string | null, called: string | null, kind: TrafficKind): NetworkCondition => {
    if (caller === called) return NORMAL_CONDITION
    const known = [caller, called].flatMap((name) => fates.get(name ?? '') ?? [])
    const counting = known.filter(({ kinds }) => kinds.includes(kind))
    return counting.find(({ fate }) => typeof fate === 'string')?.fate ?? counting[0]?.fate ?? NORMAL_CONDITION
  }
  const nameOf = (callerPort: number, relayPort: number) =>
    regions.find(({ plan }) => isConnectionOwner('LITEFS_MOUNT', mountOf(plan), callerPort, relayPort))?.plan.name ??
    null
  const update = () => {
    for (const relay of relays) relay.applyConditions()
  }
  return {
    /** Where callers reach that port of a region, or of Consul where `called` is null. */
    inFrontOf: async (port: number, kind: TrafficKind, called: string | null) => {
      const relay = await openFaultProxy(port, (callerPort, relayPort) => {
        const caller = nameOf(callerPort, relayPort)
        return () => fateBetween(caller, called, kind)
      })
      relays.push(relay)
      return relay.url
    },
    setFate: (name: string, fate: NetworkCondition, kinds: TrafficKind[] = ['link', 'litefs', 'consul']) => {
      fates.set(name, { fate, kinds })
      update()
    },
    heal: () => {
      fates.clear()
      update()
    },
    close: async () => void (await Promise.all(relays.map((relay) => relay.close()))),
  }
}

async function findPrimary(regions: RegionProcess[]): Promise<string | null> {
  const answers = await Promise.all(regions.map(({ plan }) => hasLease(litefsOf(plan))))
  return regions[answers.indexOf(true)]?.plan.name ?? null
}

/** False where LiteFS does not answer: it may be the very thing that a test has ended. */
async function hasLease(litefs: string): Promise<boolean> {
  try {
    const answer = await fetch(`${litefs}/info`, { signal: AbortSignal.timeout(2_000) })
    return ((await answer.json()) as { isPrimary: boolean }).isPrimary // as LiteFS's server.go, handleGetInfo, writes it
  } catch {
    return false
  }
}
