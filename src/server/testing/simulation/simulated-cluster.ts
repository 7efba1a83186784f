import { Refusal } from '../../../shared/protocol/refusals.ts'
import { authenticateIgnoringExpiry } from '../../features/accounts/tokens/authenticate.ts'
import { signToken } from '../../features/accounts/tokens/tokens.ts'
import type { NumberedMigration } from '../../kernel/database/migrate.ts'
import type { TestUser } from '../fixtures/test-region.ts'
import type { SeededRandom } from './seeded-random.ts'
import { SimulatedClient } from './simulated-client.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import { SimulatedLease } from './simulated-lease.ts'
import { SimulatedLiteFs } from './simulated-litefs.ts'
import { ABNORMAL_CLOSURE, SimulatedNetwork } from './simulated-network.ts'
import { SimulatedRegionProcess } from './simulated-region-process.ts'
import { type FrameSocket, onConnectionRequest, type SimulatedFrame } from './socket-adapters.ts'

export interface SimulatedClusterOptions {
  clock: SimulatedClock
  random: SeededRandom
  folder: string
  migrations: NumberedMigration[]
  regions: string[]
  lease: 'static' | 'consul'
  /** Maximum clock error of a machine, in milliseconds. */
  maxClockSkewMs: number
}

export const SIMULATED_ROOM_ID = 1

/** Several complete regions of one site in this process, with clients. */
export class SimulatedCluster {
  readonly options: SimulatedClusterOptions
  readonly network: SimulatedNetwork
  readonly litefs: SimulatedLiteFs
  readonly clients: SimulatedClient[] = []
  /** Log entries of all regions, with `from` and `at`. */
  readonly logs: Record<string, unknown>[] = []
  private readonly processes = new Map<string, SimulatedRegionProcess>()
  private readonly clockSkewMs = new Map<string, number>()

  constructor(options: SimulatedClusterOptions) {
    this.options = options
    const { random, folder, regions, maxClockSkewMs } = options
    this.network = new SimulatedNetwork(random.fork())
    const lease = new SimulatedLease(this.network, options.lease === 'static' ? (regions[0] ?? '') : null)
    this.litefs = new SimulatedLiteFs({
      folder,
      network: this.network,
      lease,
      random: random.fork(),
      regions: regions.map((name, index) => ({
        name,
        url: regionUrl(name),
        isCandidate: options.lease === 'consul' || index === 0,
      })),
      retainedCommits: 40,
    })
    for (const name of regions) this.clockSkewMs.set(name, random.integer(-maxClockSkewMs, maxClockSkewMs))
  }

  get regions(): string[] {
    return this.options.regions
  }

  /** The region's process; null while it does not run. */
  process(name: string): SimulatedRegionProcess | null {
    return this.processes.get(name) ?? null
  }

  startRegion(name: string): void {
    if (this.processes.has(name)) return
    const { random, migrations } = this.options
    const process = new SimulatedRegionProcess({
      mount: this.litefs.mountOf(name),
      random: random.fork(),
      migrations,
      clockSkewMs: this.clockSkewMs.get(name) ?? 0,
      connect: (url) => this.connect(name, regionNameOf(url), 'link'),
      onLog: (entry) => this.logs.push(entry),
    })
    this.processes.set(name, process)
  }

  /** Stops or kills a region. Resolves when it can be started again. */
  async endRegion(name: string, how: 'graceful' | 'site' | 'both'): Promise<void> {
    const process = this.processes.get(name)
    if (!process || process.ended) return
    await (how === 'graceful' ? process.stop() : process.kill(how))
    this.processes.delete(name)
  }

  /** Adds a client of this user and connects it to its home region. */
  addClient(person: TestUser, homeRegion: string): SimulatedClient {
    const name = `browser of ${person.username}`
    const client = new SimulatedClient({
      person,
      roomId: SIMULATED_ROOM_ID,
      homeRegion,
      random: this.options.random.fork(),
      regions: this.regions,
      connect: (region) => this.connect(name, region, 'client'),
      refreshToken: (region, token) => this.refreshToken(region, token),
      hasMessage: (region, clientId) => this.hasMessage(region, clientId),
      isCutFrom: (region) => this.network.isPartitioned(name, region),
    })
    this.clients.push(client)
    client.start()
    return client
  }

  /** Reasons why the cluster is not settled; empty when all regions are ready and in sync, and all clients idle. */
  listUnsettled(): string[] {
    const mounts = this.litefs
      .listMounts()
      .map(({ name, lastCommit, node }) => `${name} ${node ? lastCommit?.txid : 'does not run'}`)
    return [
      ...(this.litefs.isInSync() ? [] : [`not in sync: ${mounts.join(', ')}`]),
      ...this.regions.filter((name) => !this.process(name)?.isReady).map((name) => `${name} is not ready`),
      ...this.clients.filter(({ isIdle }) => !isIdle).map((client) => client.describeState()),
    ]
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.end()
    const ends = Promise.all(this.regions.map((name) => this.endRegion(name, 'both')))
    await this.options.clock.advanceUntilSettled('the end of every region', ends)
    this.litefs.close()
  }

  private hasMessage(region: string, clientId: string): boolean {
    const sql = 'select 1 from message where clientId = ?'
    return this.litefs.mountOf(region).file.read((db) => db.prepare(sql).get(clientId)) !== undefined
  }

  private async refreshToken(region: string, token: string): Promise<string | 'refused' | 'unreachable'> {
    const appContext = this.process(region)?.region?.appContext
    if (!appContext) return 'unreachable'
    const actor = await authenticateIgnoringExpiry(appContext, token)
    if (!(actor instanceof Refusal)) return signToken(appContext.keys, 'userToken', actor, appContext.clock())
    return actor.body.code === 'SessionEnded' ? 'refused' : 'unreachable'
  }

  private connect(from: string, to: string, as: 'link' | 'client'): FrameSocket {
    const { a, b } = this.network.openSocketPair<SimulatedFrame, SimulatedFrame>(from, to)
    onConnectionRequest(b, () => this.acceptSocket(b, to, as, from))
    a.send('connect')
    return a
  }

  private acceptSocket(end: FrameSocket, to: string, as: 'link' | 'client', from: string): void {
    const process = this.processes.get(to)
    if (process) process.acceptSocket(end, as, from)
    else end.close(ABNORMAL_CLOSURE)
  }
}

function regionUrl(name: string): string {
  return `http://${name}`
}

function regionNameOf(url: string): string {
  return new URL(url).hostname
}
