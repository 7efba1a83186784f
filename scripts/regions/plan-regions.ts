import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { findFreePorts } from './free-ports.ts'
import type { RegionAddresses, RegionPlan } from './region-plan.ts'

export interface RegionsPlan {
  /** Where everything of theirs lies. */
  folder: string
  names: string[]
  /** Consul's base URL; without one the first region is the primary, for good. */
  consul?: string
  /** Where others reach a region that listens on these ports; by default right there. */
  advertise?: (name: string, sitePort: number, litefsPort: number) => RegionAddresses | Promise<RegionAddresses>
  command?: string[]
  env?: Record<string, string>
}

const directAddresses = (_: string, sitePort: number, litefsPort: number): RegionAddresses => ({
  link: `http://127.0.0.1:${sitePort}`,
  litefs: `http://127.0.0.1:${litefsPort}`,
})

/** One site out of several regions on this machine, on ports that are free. */
export async function planRegions({ folder, names, consul, advertise = directAddresses, ...same }: RegionsPlan) {
  const ports = await findFreePorts(2 * names.length)
  const secret = randomBytes(32).toString('hex')
  const plans: RegionPlan[] = []
  for (const [i, name] of names.entries()) {
    const [sitePort = 0, litefsPort = 0] = ports.slice(2 * i)
    const advertised = await advertise(name, sitePort, litefsPort)
    const primary = plans[0]?.advertised ?? advertised
    const lease = consul
      ? ({ type: 'consul', url: consul, isCandidate: true } as const)
      : ({ type: 'static', primary, isPrimary: i === 0 } as const)
    plans.push({ name, folder: join(folder, name), sitePort, litefsPort, advertised, lease, secret, ...same })
  }
  return plans
}
