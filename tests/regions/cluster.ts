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

/** Regions on this machine behind fault proxies. The clients of a test reach each region directly. */
export interface Cluster {
  readonly regions: RegionProcess[]
  readonly consul: ConsulProcess | null
  /** The region of this name. Throws when there is none. */
  region(name: string): RegionProcess
  /** Sets the condition of the traffic between this region and the others, Consul included; all kinds by default. */
  setCondition(name: string, condition: NetworkCondition, kinds?: TrafficKind[]): void
  /** Removes all conditions. */
  resetConditions(): void
  /** The name of the region that has the lease, or null. */
  primary(): Promise<string | null>
  /** Hands the lease to a region, as an operator does; resolves when the region has it. Needs Consul. */
  promote(name: string): Promise<void>
  /** Kills, unmounts and removes everything; tests of a graceful shutdown send SIGTERM before. */
  close(): Promise<void>
}

export interface ClusterOptions {
  litefs: string
  /** Consul's executable; without it the lease is static and the first region is the primary. */
  consul?: string
  names?: string[]
  /** The command that LiteFS starts; the site by default. */
  command?: string[]
  env?: Record<string, string>
  /** More variables for single regions, by name. */
  envOf?: Record<string, Record<string, string>>
}

/** Traffic between regions: the sites' links, LiteFS's replication, and requests to Consul. */
export type TrafficKind = 'link' | 'litefs' | 'consul'

const NORMAL_CONDITION: NetworkCondition = { passesAfterMs: 0 }

/** Starts the regions and waits until each is ready. Unmounts everything when that fails or the process ends. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { litefs, consul, names = ['ist', 'fra', 'sin'], envOf, ...shared } = options
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
        link: await network.openProxyFor(sitePort, 'link', name),
        litefs: await network.openProxyFor(litefsPort, 'litefs', name),
      }),
      ...(server && { consul: await network.openProxyFor(server.port, 'consul', null) }),
      ...shared,
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
    setCondition: network.setCondition,
    resetConditions: network.resetConditions,
    primary: () => findPrimary(regions),
    promote: async (name) => {
      const answer = await fetch(`${litefsOf(region(name).plan)}/promote`, { method: 'POST' })
      if (!answer.ok) throw new Error(`${name} is not promoted: ${await answer.text()}`)
      await pollUntil(`${name} is the primary`, async () => (await findPrimary(regions)) === name)
    },
    close,
  }
}

/** Fault proxies in front of the ports that regions use of each other; the caller of a connection is found by its two ports. */
function createNetwork(regions: RegionProcess[]) {
  const proxies: FaultProxy[] = []
  const conditions = new Map<string, { condition: NetworkCondition; kinds: TrafficKind[] }>()
  const conditionBetween = (caller: string | null, called: string | null, kind: TrafficKind): NetworkCondition => {
    if (caller === called) return NORMAL_CONDITION
    const known = [caller, called].flatMap((name) => conditions.get(name ?? '') ?? [])
    const matching = known.filter(({ kinds }) => kinds.includes(kind))
    return (
      matching.find(({ condition }) => typeof condition === 'string')?.condition ??
      matching[0]?.condition ??
      NORMAL_CONDITION
    )
  }
  const nameOf = (callerPort: number, proxyPort: number) =>
    regions.find(({ plan }) => isConnectionOwner('LITEFS_MOUNT', mountOf(plan), callerPort, proxyPort))?.plan.name ??
    null
  const update = () => {
    for (const proxy of proxies) proxy.applyConditions()
  }
  return {
    /** Opens a proxy and returns its URL; `called` is the region of the port, or null for Consul. */
    openProxyFor: async (port: number, kind: TrafficKind, called: string | null) => {
      const proxy = await openFaultProxy(port, (callerPort, proxyPort) => {
        const caller = nameOf(callerPort, proxyPort)
        return () => conditionBetween(caller, called, kind)
      })
      proxies.push(proxy)
      return proxy.url
    },
    setCondition: (name: string, condition: NetworkCondition, kinds: TrafficKind[] = ['link', 'litefs', 'consul']) => {
      conditions.set(name, { condition, kinds })
      update()
    },
    resetConditions: () => {
      conditions.clear()
      update()
    },
    close: async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))),
  }
}

async function findPrimary(regions: RegionProcess[]): Promise<string | null> {
  const answers = await Promise.all(regions.map(({ plan }) => hasLease(litefsOf(plan))))
  return regions[answers.indexOf(true)]?.plan.name ?? null
}

/** False when LiteFS does not answer: a test may have killed it. */
async function hasLease(litefs: string): Promise<boolean> {
  try {
    const answer = await fetch(`${litefs}/info`, { signal: AbortSignal.timeout(2_000) })
    return ((await answer.json()) as { isPrimary: boolean }).isPrimary // as LiteFS's server.go, handleGetInfo, writes it
  } catch {
    return false
  }
}
