import { Refusal } from '../../shared/protocol/refusals.ts'
import { authenticateIgnoringExpiry } from '../accounts/authenticate.ts'
import { signToken } from '../accounts/tokens.ts'
import type { NumberedMigration } from '../database/migrate.ts'
import type { Chance } from './simulated-chance.ts'
import { SimulatedClient } from './simulated-client.ts'
import { SimulatedLease } from './simulated-lease.ts'
import { SimulatedLiteFs } from './simulated-litefs.ts'
import { LINE_LOST, SimulatedNetwork } from './simulated-network.ts'
import { SimulatedProcess } from './simulated-process.ts'
import { type Frame, type FrameLine, onKnock } from './simulated-sockets.ts'
import type { SimulatedTime } from './simulated-time.ts'
import type { TestPerson } from './world.ts'

export interface SimulatedSiteOptions {
  time: SimulatedTime
  chance: Chance
  folder: string
  migrations: NumberedMigration[]
  regions: string[]
  lease: 'static' | 'consul'
  /** Machines whose clocks are wrong by at most so much. */
  clocksWrongByMs: number
}

export const ROOM_ID = 1

/** Several whole regions of one site in this process, and the browsers in them. */
export class SimulatedSite {
  readonly options: SimulatedSiteOptions
  readonly network: SimulatedNetwork
  readonly litefs: SimulatedLiteFs
  readonly clients: SimulatedClient[] = []
  /** What the regions have logged, with `from` and `at`. */
  readonly logs: Record<string, unknown>[] = []
  private readonly processes = new Map<string, SimulatedProcess>()
  private readonly aheadMs = new Map<string, number>()

  constructor(options: SimulatedSiteOptions) {
    this.options = options
    const { chance, folder, regions, clocksWrongByMs } = options
    this.network = new SimulatedNetwork(chance.fork())
    const lease = new SimulatedLease(this.network, options.lease === 'static' ? (regions[0] ?? '') : null)
    this.litefs = new SimulatedLiteFs({
      folder,
      network: this.network,
      lease,
      chance: chance.fork(),
      regions: regions.map((name, index) => ({
        name,
        url: urlOf(name),
        isCandidate: options.lease === 'consul' || index === 0,
      })),
      keeps: 40,
    })
    for (const name of regions) this.aheadMs.set(name, chance.whole(-clocksWrongByMs, clocksWrongByMs))
  }

  get regions(): string[] {
    return this.options.regions
  }

  /** The region's process, if it runs. */
  process(name: string): SimulatedProcess | null {
    return this.processes.get(name) ?? null
  }

  start(name: string): void {
    if (this.processes.has(name)) return
    const { chance, migrations } = this.options
    const process = new SimulatedProcess({
      mount: this.litefs.at(name),
      chance: chance.fork(),
      migrations,
      aheadMs: this.aheadMs.get(name) ?? 0,
      dial: (url) => this.dial(name, nameOf(url), 'link'),
      onLog: (line) => this.logs.push(line),
    })
    this.processes.set(name, process)
  }

  /** Ends a region in order, or kills it. Resolves when it can be started again. */
  async end(name: string, how: 'inOrder' | 'site' | 'both'): Promise<void> {
    const process = this.processes.get(name)
    if (!process || process.ended) return
    await (how === 'inOrder' ? process.stop() : process.kill(how))
    this.processes.delete(name)
  }

  /** Somebody comes in a region, through the command that its forms use, and opens a page there. */
  addClient(person: TestPerson, home: string): SimulatedClient {
    const name = `browser of ${person.username}`
    const client = new SimulatedClient({
      person,
      roomId: ROOM_ID,
      home,
      chance: this.options.chance.fork(),
      regions: this.regions,
      dial: (region) => this.dial(name, region, 'client'),
      refresh: (region, token) => this.refresh(region, token),
      isThere: (region, clientId) => this.isThere(region, clientId),
      isCutFrom: (region) => this.network.isCut(name, region),
    })
    this.clients.push(client)
    client.start()
    return client
  }

  /** Why the site is not at rest, in words; empty when every region runs and has everything, and nobody waits. */
  unrest(): string[] {
    const mounts = this.litefs.all().map(({ name, latest, run }) => `${name} ${run ? latest?.txid : 'does not run'}`)
    return [
      ...(this.litefs.isInStep() ? [] : [`not in step: ${mounts.join(', ')}`]),
      ...this.regions.filter((name) => !this.process(name)?.isReady).map((name) => `${name} is not ready`),
      ...this.clients.filter(({ isAtRest }) => !isAtRest).map((client) => client.state()),
    ]
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.end()
    const ends = Promise.all(this.regions.map((name) => this.end(name, 'both')))
    await this.options.time.of('the end of every region', ends)
    this.litefs.close()
  }

  private isThere(region: string, clientId: string): boolean {
    const sql = 'select 1 from message where clientId = ?'
    return this.litefs.at(region).file.read((db) => db.prepare(sql).get(clientId)) !== undefined
  }

  private async refresh(region: string, token: string): Promise<string | 'refused' | 'unreachable'> {
    const world = this.process(region)?.region?.appContext
    if (!world) return 'unreachable'
    const actor = await authenticateIgnoringExpiry(world, token)
    if (!(actor instanceof Refusal)) return signToken(world.keys, 'userToken', actor, world.clock())
    return actor.body.code === 'SessionEnded' ? 'refused' : 'unreachable'
  }

  private dial(from: string, to: string, as: 'link' | 'client'): FrameLine {
    const { a, b } = this.network.line<Frame, Frame>(from, to)
    onKnock(b, () => this.answer(b, to, as, from))
    a.send('knock')
    return a
  }

  private answer(end: FrameLine, to: string, as: 'link' | 'client', from: string): void {
    const process = this.processes.get(to)
    if (process) process.take(end, as, from)
    else end.close(LINE_LOST)
  }
}

function urlOf(name: string): string {
  return `http://${name}`
}

function nameOf(url: string): string {
  return new URL(url).hostname
}
