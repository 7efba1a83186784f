import { isIP, isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { JOIN_WAIT_MS } from '../../shared/room-chat/limits.ts'

const MIB = 1024 * 1024
const DAY_MS = 24 * 60 * 60_000

const flag = v.pipe(
  v.picklist(['0', '1', 'false', 'true']),
  v.transform((text) => text === '1' || text === 'true'),
)
const integer = (min: number, max: number) =>
  v.pipe(v.string(), v.regex(/^\d+$/, 'a whole number'), v.toNumber(), v.minValue(min), v.maxValue(max))
const list = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  ),
)

/** `list` of addresses or CIDR ranges. */
const addressRanges = v.pipe(
  v.string(),
  v.check((text) => v.parse(list, text).every(isAddressRange), 'addresses or CIDR ranges'),
  list,
)

/** `list` of IP addresses. */
const addresses = v.pipe(
  v.string(),
  v.check((text) => v.parse(list, text).every((address) => isIP(address) !== 0), 'IP addresses'),
  list,
  v.maxLength(8, 'at most 8 addresses'),
)

/** The environment variables and their formats. docs/operations.md lists them for operators. */
const Environment = v.object({
  PORT: v.optional(integer(0, 65535), '3000'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  /** Folder of all persistent data: database, secret, uploads. */
  MEYDAN_DATA: v.optional(v.string(), './data'),
  /** The database file; by default inside MEYDAN_DATA. */
  MEYDAN_DB: v.optional(v.string()),
  /** At least 32 characters; by default generated once and stored in MEYDAN_DATA. */
  MEYDAN_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'at least 32 characters'))),
  /** Allowed browser origins besides the request's own host, comma-separated. */
  MEYDAN_ORIGINS: v.optional(list, ''),
  /** Addresses or CIDR ranges of the proxies whose X-Forwarded-For is trusted, comma-separated. */
  MEYDAN_TRUSTED_PROXIES: v.optional(addressRanges, ''),
  /** Multiplies every rate limit on sign-in and on commands; for load tests. */
  MEYDAN_LIMIT_SCALE: v.optional(integer(1, 1_000_000), '1'),
  /** The wait between entering a room and the first message; shorter in browser tests only. */
  MEYDAN_JOIN_WAIT_MS: v.optional(integer(0, JOIN_WAIT_MS), `${JOIN_WAIT_MS}`),
  /** CPU milliseconds of the main thread that the pages of one address take in a second, on average. */
  MEYDAN_PAGE_CPU_MS: v.optional(integer(1, 1_000), '250'),
  /** Mebibytes of resident memory of a process that decodes pictures, of which there are two at most. */
  MEYDAN_PICTURE_MEMORY_MB: v.optional(integer(128, 100_000), '640'),
  /** Mebibytes that one user stores in a day; the users of one address four times as many. */
  MEYDAN_UPLOADS_PER_DAY_MB: v.optional(integer(100, 1_000_000), '1024'),
  /** Days for which messages of rooms are kept. */
  MEYDAN_ROOM_MESSAGES_DAYS: v.optional(integer(1, 36_500), '180'),
  /** Mebibytes that the messages of one room take at most; the oldest ones are deleted. */
  MEYDAN_ROOM_MESSAGES_MB: v.optional(integer(1, 1_000_000), '256'),
  /** Mebibytes that the server holds for the live connections of one address that do not read. */
  MEYDAN_UNREAD_PER_ADDRESS_MB: v.optional(integer(1, 1_000_000), '32'),
  /** Of one address: open sockets, requests under way, and upgrades to the live protocol a second. */
  MEYDAN_SOCKETS_PER_ADDRESS: v.optional(integer(10, 1_000_000), '500'),
  MEYDAN_REQUESTS_PER_ADDRESS: v.optional(integer(10, 1_000_000), '500'),
  MEYDAN_UPGRADES_PER_ADDRESS: v.optional(integer(1, 1_000_000), '20'),
  /** Mebibytes that the system holds for the connections of one address that do not read. */
  MEYDAN_SEND_QUEUES_PER_ADDRESS_MB: v.optional(integer(1, 1_000_000), '64'),
  /** Percent of the disk from which on uploads, and then the messages of guests, are refused. */
  MEYDAN_DISK_UPLOADS_PERCENT: v.optional(integer(10, 100), '90'),
  MEYDAN_DISK_GUESTS_PERCENT: v.optional(integer(10, 100), '95'),
  /** Capacity of the write queue; more commands are refused with Busy. */
  MEYDAN_MAX_QUEUE_LENGTH: v.optional(integer(1, 1_000_000), '10000'),
  /** Megabytes of uploads that are not in use yet: of a user, of an address, and in all. */
  MEYDAN_UPLOADS_PER_USER_MB: v.optional(integer(100, 1_000_000), '250'),
  MEYDAN_UPLOADS_PER_ADDRESS_MB: v.optional(integer(100, 1_000_000), '1000'),
  MEYDAN_UPLOADS_MB: v.optional(integer(100, 100_000_000), '10000'),
  /** Port of the relay of calls, for UDP and TCP; each further worker uses the next one. 0 for free ports. */
  MEYDAN_RELAY_PORT: v.optional(integer(0, 65535), '0'),
  /** Public addresses of the relay, comma-separated; by default this machine's own. */
  MEYDAN_RELAY_ADDRESSES: v.optional(addresses, ''),
  /** Addresses that the relay binds, comma-separated; by default all interfaces. */
  MEYDAN_RELAY_HOST: v.optional(addresses, ''),
  /** Threads of the relay. */
  MEYDAN_RELAY_WORKERS: v.optional(integer(1, 32), '1'),
  /** The most calls of one of its threads. */
  MEYDAN_RELAY_CALLS: v.optional(integer(1, 10_000), '500'),
  MEYDAN_LOG: v.optional(v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'silent']), 'info'),
  /** Bearer token of `GET /metrics`; without one, metrics are served on loopback only. */
  MEYDAN_METRICS_TOKEN: v.optional(v.pipe(v.string(), v.minLength(16, 'at least 16 characters'))),
  /** The site's owner, shown on the 'Genel' tab. */
  MEYDAN_OWNER: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100, '100 characters')), 'Meydan'),
  /** The address for mail on the contact page. */
  MEYDAN_CONTACT: v.optional(
    v.pipe(v.string(), v.trim(), v.email('an e-mail address'), v.maxLength(100, '100 characters')),
  ),
  /** This region's name: lower-case letters, digits and hyphens. */
  MEYDAN_REGION: v.optional(
    v.pipe(v.string(), v.regex(/^(?!all$)[a-z0-9-]{1,32}$/, 'letters, digits and hyphens, and not "all"')),
    'local',
  ),
  /** Base URL of this region's LiteFS. With it the process is a cluster member. */
  MEYDAN_LITEFS: v.optional(v.pipe(v.string(), v.url('a URL'))),
  /** Base URL at which other regions reach this region's site. */
  MEYDAN_LINK_URL: v.optional(v.pipe(v.string(), v.url('a URL'))),
  /** Whether commands with `awaitsReplicaAck` are answered only after a replica has them. */
  MEYDAN_AWAIT_REPLICA_ACK: v.optional(flag, '0'),
  /** LiteFS's own setting: whether this region may become the primary. */
  LITEFS_CANDIDATE: v.optional(flag, '0'),
  /** Serve through Vite with hot reloading. */
  MEYDAN_DEV: v.optional(flag, '0'),
})

/** From which share of the disk on, 0 to 1, each is refused. */
export interface DiskLimits {
  uploads: number
  guestMessages: number
}

/** Bytes of the uploads of a user, of an address and of all, finished ones included. */
export interface UploadLimits {
  userBytes: number
  addressBytes: number
  totalBytes: number
}

export interface Config {
  port: number
  host: string
  dataFolder: string
  databaseFile: string
  secret: string | null
  origins: string[]
  trustedProxies: string[]
  limitScale: number
  joinWaitMs: number
  pageCpuMsPerSecond: number
  pictureMemoryBytes: number
  uploadBytesPerDay: number
  roomMessagesKeptMs: number
  roomMessagesMaxBytes: number
  /** Unsent bytes of all live connections of one address. */
  unreadBytesPerAddress: number
  addressLimits: AddressLimits
  diskLimits: DiskLimits
  maxQueueLength: number
  uploadLimits: UploadLimits
  relay: RelayConfig
  logLevel: string
  metricsToken: string | null
  /** The site's owner as shown to users. */
  owner: string
  /** The owner's address for mail; null if none is published. */
  contact: string | null
  region: string
  /** null on a single node. */
  litefs: LiteFsConfig | null
  awaitReplicaAck: boolean
  isDev: boolean
}

/** What one address may have open, and begin in a second. */
export interface AddressLimits {
  sockets: number
  /** Requests that are under way. */
  requests: number
  upgradesPerSecond: number
  /** Bytes of all connections that the system has taken and the clients have not acknowledged. */
  sendQueueBytes: number
}

export interface LiteFsConfig {
  /** Base URL of LiteFS's own HTTP server. */
  url: string
  /** Base URL at which other regions reach this region's site. */
  linkUrl: string
  isCandidate: boolean
}

/** Config of the relay of calls. */
export interface RelayConfig {
  /** 0 for free ports. */
  port: number
  /** Public addresses; empty for this machine's own. */
  addresses: string[]
  /** Addresses to bind; empty for all interfaces. */
  hosts: string[]
  workers: number
  /** Of one worker. */
  maxCalls: number
}

/** Thrown when the environment is wrong; the message names the variable and what it should be. */
export class ConfigError extends Error {}

/** The config of this process. Throws a ConfigError that names what is wrong. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = v.safeParse(Environment, environment)
  if (!parsed.success) throw new ConfigError(parsed.issues.map(describeIssue).join('\n'))
  const env = parsed.output
  const dataFolder = resolve(env.MEYDAN_DATA)
  return {
    port: env.PORT,
    host: env.HOST,
    dataFolder,
    databaseFile: resolve(env.MEYDAN_DB ?? `${dataFolder}/meydan.db`),
    secret: env.MEYDAN_SECRET ?? null,
    origins: env.MEYDAN_ORIGINS,
    trustedProxies: env.MEYDAN_TRUSTED_PROXIES,
    limitScale: env.MEYDAN_LIMIT_SCALE,
    joinWaitMs: env.MEYDAN_JOIN_WAIT_MS,
    pageCpuMsPerSecond: env.MEYDAN_PAGE_CPU_MS,
    pictureMemoryBytes: env.MEYDAN_PICTURE_MEMORY_MB * MIB,
    uploadBytesPerDay: env.MEYDAN_UPLOADS_PER_DAY_MB * 1024 * 1024,
    roomMessagesKeptMs: env.MEYDAN_ROOM_MESSAGES_DAYS * DAY_MS,
    roomMessagesMaxBytes: env.MEYDAN_ROOM_MESSAGES_MB * MIB,
    unreadBytesPerAddress: env.MEYDAN_UNREAD_PER_ADDRESS_MB * MIB * env.MEYDAN_LIMIT_SCALE,
    addressLimits: {
      sockets: env.MEYDAN_SOCKETS_PER_ADDRESS * env.MEYDAN_LIMIT_SCALE,
      requests: env.MEYDAN_REQUESTS_PER_ADDRESS * env.MEYDAN_LIMIT_SCALE,
      upgradesPerSecond: env.MEYDAN_UPGRADES_PER_ADDRESS * env.MEYDAN_LIMIT_SCALE,
      sendQueueBytes: env.MEYDAN_SEND_QUEUES_PER_ADDRESS_MB * MIB * env.MEYDAN_LIMIT_SCALE,
    },
    diskLimits: {
      uploads: env.MEYDAN_DISK_UPLOADS_PERCENT / 100,
      guestMessages: env.MEYDAN_DISK_GUESTS_PERCENT / 100,
    },
    maxQueueLength: env.MEYDAN_MAX_QUEUE_LENGTH,
    uploadLimits: {
      userBytes: env.MEYDAN_UPLOADS_PER_USER_MB * MIB,
      addressBytes: env.MEYDAN_UPLOADS_PER_ADDRESS_MB * MIB,
      totalBytes: env.MEYDAN_UPLOADS_MB * MIB,
    },
    relay: readRelayConfig(env),
    logLevel: env.MEYDAN_LOG,
    metricsToken: env.MEYDAN_METRICS_TOKEN ?? null,
    owner: env.MEYDAN_OWNER,
    contact: env.MEYDAN_CONTACT ?? null,
    region: env.MEYDAN_REGION,
    litefs: readLiteFsConfig(env),
    awaitReplicaAck: env.MEYDAN_AWAIT_REPLICA_ACK,
    isDev: env.MEYDAN_DEV,
  }
}

/** The config of the relay of calls. Throws a ConfigError when there are too few ports for its workers. */
function readRelayConfig(env: v.InferOutput<typeof Environment>): RelayConfig {
  const { MEYDAN_RELAY_PORT: port, MEYDAN_RELAY_WORKERS: workers } = env
  if (port !== 0 && port + workers - 1 > 65_535) {
    throw new ConfigError(`MEYDAN_RELAY_PORT should leave a port for each of the ${workers} workers, but is ${port}`)
  }
  const { MEYDAN_RELAY_ADDRESSES: publicAddresses, MEYDAN_RELAY_HOST: hosts, MEYDAN_RELAY_CALLS: maxCalls } = env
  return { port, addresses: publicAddresses, hosts, workers, maxCalls }
}

/** The config of a cluster member. Throws a ConfigError when one of its required variables is missing. */
function readLiteFsConfig(env: v.InferOutput<typeof Environment>): LiteFsConfig | null {
  if (env.MEYDAN_LITEFS === undefined) return null
  for (const name of ['MEYDAN_LINK_URL', 'MEYDAN_DB', 'MEYDAN_SECRET'] as const) {
    if (env[name] === undefined) throw new ConfigError(`${name} should be set where MEYDAN_LITEFS is`)
  }
  const withoutSlash = (url: string) => url.replace(/\/+$/, '')
  return {
    url: withoutSlash(env.MEYDAN_LITEFS),
    linkUrl: withoutSlash(env.MEYDAN_LINK_URL ?? ''),
    isCandidate: env.LITEFS_CANDIDATE,
  }
}

function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const length = prefix === undefined ? 0 : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.POSITIVE_INFINITY
  return isIP(address) !== 0 && length <= (isIPv6(address) ? 128 : 32) && more.length === 0
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const name = v.getDotPath(issue) ?? 'environment'
  // Valibot's default messages start with 'Invalid'; the expected type says more than they do.
  const expected = issue.message.startsWith('Invalid ') ? issue.expected : issue.message
  return `${name} should be ${expected}, but is ${issue.received}`
}
