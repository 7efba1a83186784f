import { delimiter, dirname, join } from 'node:path'

/** The file that the container runs. */
export const LITEFS_CONFIG_FILE = join(import.meta.dirname, '../../litefs.yml')

/** Which region is the primary: a fixed one, or the candidate that holds the lock in Consul. */
export type Lease =
  | { type: 'static'; primary: RegionAddresses; isPrimary: boolean }
  | { type: 'consul'; url: string; isCandidate: boolean }

/** Where other regions reach a region. */
export interface RegionAddresses {
  /** Base URL of its site, which accepts the link of other regions. */
  link: string
  /** Base URL of its LiteFS. */
  litefs: string
}

/** One region on this machine, as its deployment describes it. */
export interface RegionPlan {
  name: string
  /** Everything of the region lies in here: mount, LiteFS's copy, the site's data. */
  folder: string
  sitePort: number
  litefsPort: number
  advertised: RegionAddresses
  lease: Lease
  secret: string
  /** What LiteFS starts, if not the site. */
  command?: string[]
  /** Further variables, for LiteFS and for the site. */
  env?: Record<string, string>
}

export const mountOf = (plan: RegionPlan) => join(plan.folder, 'mount')
export const databaseOf = (plan: RegionPlan) => join(mountOf(plan), 'meydan.db')
export const dataOf = (plan: RegionPlan) => join(plan.folder, 'data')
export const originOf = (plan: RegionPlan) => `http://127.0.0.1:${plan.sitePort}`
export const litefsOf = (plan: RegionPlan) => `http://127.0.0.1:${plan.litefsPort}`

/** The variables of `litefs.yml` and of the site, with the current Node first in PATH. */
export function environmentOf(plan: RegionPlan): NodeJS.ProcessEnv {
  return {
    ...inheritedEnvironment(),
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    LITEFS_MOUNT: mountOf(plan),
    LITEFS_DATA: join(plan.folder, 'litefs'),
    LITEFS_HTTP: `127.0.0.1:${plan.litefsPort}`,
    ...leaseVariables(plan),
    HOST: '127.0.0.1',
    PORT: String(plan.sitePort),
    MEYDAN_DATA: dataOf(plan),
    MEYDAN_DB: databaseOf(plan),
    MEYDAN_SECRET: plan.secret,
    MEYDAN_REGION: plan.name,
    MEYDAN_LITEFS: litefsOf(plan),
    MEYDAN_LINK_URL: plan.advertised.link,
    ...plan.env,
  }
}

function leaseVariables({ lease, advertised }: RegionPlan): Record<string, string> {
  const primary = lease.type === 'static' ? lease.primary : advertised
  const candidate = lease.type === 'static' ? lease.isPrimary : lease.isCandidate
  return {
    LITEFS_LEASE: lease.type,
    LITEFS_CANDIDATE: String(candidate),
    LITEFS_HOSTNAME: primary.link,
    LITEFS_ADVERTISE_URL: primary.litefs,
    ...(lease.type === 'consul' && { LITEFS_CONSUL_URL: lease.url }),
  }
}

/** This process's environment without what a test runner or a developer's shell set for other purposes. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(?:MEYDAN_|LITEFS|VITEST|NODE_ENV$|NODE_OPTIONS$|PORT$|HOST$|TEST$|DEV$|PROD$|MODE$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}
