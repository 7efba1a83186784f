import type { Logger } from 'pino'
import type { Reigns } from '../database/committed.ts'
import { isHeldUp } from '../database/held-up.ts'
import type { Reader } from '../database/read.ts'
import type { Carried, Order, WriteDoor } from '../database/write-door.ts'
import { Gather } from '../gather.ts'
import { carryOutForOthers } from './carry-out.ts'
import type { CaughtUp } from './caught-up.ts'
import type { FollowLog } from './follow-log.ts'
import type { Footing } from './footing.ts'
import type { Freshness } from './freshness.ts'
import type { LinkDialler, LinkHub, SiteClock } from './link.ts'
import type { LiteFs } from './litefs.ts'
import { OverLink } from './over-link.ts'
import type { Position } from './position.ts'
import { Reports } from './reports.ts'
import type { Road } from './send-on.ts'

/** After a lost batch LiteFS says who leads now. Where it still says that we do, the door is opened again after this. */
const REOPEN_MS = 300
/** What could not be read, because LiteFS held the file, is read after this. */
const AGAIN_MS = 250
/** How often the primary learns how far this region has come, at most. */
const REPORT_MS = 20
/** How long a question to the primary, or to other regions, may take. */
const ASK_MS = 5_000
/** A region that reaches nobody serves what it has after this. */
const READY_ANYWAY_MS = 10_000
/** What only the primary has is fetched before the lease is taken over, if it does not take longer. */
const FETCH_MS = 500
/** How long it may take to have everything when the lease is offered: with fetching less than TAKE_OVER_MS. */
const REACH_MS = 1_000
/** Longer than this the lease is not offered to one region before the next is asked. */
const TAKE_OVER_MS = 2_000

export interface AmongOptions {
  region: string
  litefs: LiteFs
  door: WriteDoor
  hub: LinkHub
  dialler: LinkDialler
  clock: SiteClock
  followLog: FollowLog
  caughtUp: CaughtUp
  freshness: Freshness
  reigns: Reigns
  read: Reader
  /** How far the local database has come. */
  local: () => Position
  /** There may be another way to the writer, or none. */
  onRoad: () => void
  /** Something new is visible here. */
  onTransaction: () => void
  /** This region leads from now on. */
  onLead: () => Promise<void>
  /** This region is about to take the lease over, and may fetch what it lacks; bounded. */
  onTakeOver: () => Promise<unknown>
  onUnconfirmed: () => void
  /** Nothing can go on: the database is not one for this code. */
  onFatal: (error: unknown) => void
  log: Logger
}

/** One of several regions on LiteFS: leads while it has the lease, and else holds on to whoever has it. */
export class AmongRegions implements Footing {
  private readonly options: AmongOptions
  private readonly overLink: OverLink
  private readonly reports: Reports
  private readonly reporting = new Gather(REPORT_MS, () => this.report())
  private current: Road | null = null
  private leads = false
  private primaryHub: { region: string; url: string } | null = null
  private settling = false
  private unsettled = false
  private isReady = false
  private handing = false
  private ended = false
  private readonly anyway: NodeJS.Timeout
  private again: NodeJS.Timeout | null = null

  constructor(options: AmongOptions) {
    this.options = options
    const { litefs, hub, dialler } = options
    this.overLink = new OverLink(dialler)
    this.reports = new Reports(hub)
    carryOutForOthers({ hub, carry: (order, confirm) => this.carryHere(order, confirm), position: options.local })
    this.listenToHub(dialler)
    litefs.onTransaction(() => this.arrived())
    litefs.onLeader(() => void this.settle())
    this.anyway = setTimeout(() => this.primaryHub === null && this.ready(), READY_ANYWAY_MS)
    this.anyway.unref()
  }

  /** The way to the writer as it is now. */
  road(): Road | null {
    return this.current
  }

  role(): 'primary' | 'replica' {
    return this.leads ? 'primary' : 'replica'
  }

  primary(): string | null {
    return this.leads ? this.options.region : (this.primaryHub?.region ?? null)
  }

  /** Where the sites of the regions are that are linked to this one. */
  siteUrls(): string[] {
    const { hub } = this.options
    return this.leads ? hub.regions().map(({ url }) => url) : this.primaryHub ? [this.primaryHub.url] : []
  }

  position(): Position {
    return this.options.local()
  }

  lagMs(): number | null {
    return this.leads || this.primaryHub ? this.options.freshness.lagMs() : null
  }

  notReady(): string | null {
    return this.isReady ? null : 'catching up with the primary'
  }

  async isFresh(): Promise<boolean> {
    if (this.leads) return true
    if (!this.primaryHub) return false
    const there = await this.overLink.where()
    return there !== null && this.options.caughtUp.reached(there, ASK_MS)
  }

  /** Brings this region in line with who leads, one change after another. */
  async settle(): Promise<void> {
    this.unsettled = true
    if (this.settling) return
    this.settling = true
    try {
      while (this.unsettled && !this.ended) {
        this.unsettled = false
        await this.takeRole()
      }
    } catch (error) {
      this.options.onFatal(error)
    } finally {
      this.settling = false
    }
  }

  /** A batch was lost: the door has shut itself. */
  lost(): void {
    if (!this.leads) return
    this.step(false)
    setTimeout(() => void this.settle(), REOPEN_MS).unref()
  }

  /** Hands the lease to a region that has everything, if this one leads and another is there. */
  async handOver(): Promise<void> {
    const { hub, door, log } = this.options
    const candidates = hub.regions().filter((region) => region.isCandidate)
    if (!this.leads || candidates.length === 0) return
    this.handing = true
    this.current = null
    const position = await door.shut()
    candidates.sort((a, b) => ((a.position()?.txid ?? '') < (b.position()?.txid ?? '') ? 1 : -1))
    for (const { region, send } of candidates) {
      send({ kind: 'takeOver', position })
      if (await this.leaderChanges()) return void log.info({ region }, 'handed the lease over')
      log.warn({ region }, 'a region did not take the lease over')
    }
  }

  close(): void {
    this.ended = true
    clearTimeout(this.anyway)
    this.options.litefs.close()
    this.options.dialler.close()
    this.options.hub.close()
    this.overLink.end()
  }

  private async takeRole(): Promise<void> {
    const { litefs, dialler } = this.options
    const leader = litefs.leader()
    if (leader.is === 'self') return this.lead()
    if (this.leads) {
      this.step(false)
      await this.options.door.shut()
      if (this.ended) return
    }
    this.options.reigns.check(this.options.read)
    // Where nobody is known to lead, whoever led may still be there: LiteFS says so again once it is reached.
    if (leader.is === 'other') dialler.dial(leader.url)
  }

  private async lead(): Promise<void> {
    if (this.leads) return
    const { door, dialler, clock, litefs, followLog } = this.options
    dialler.dial(null)
    const opened = await door.open({ clockOffsetMs: clock.offsetMs() })
    if (this.ended) return
    if (opened !== 'lost') this.options.reigns.begin(this.options.read, opened)
    if (opened === 'lost' || litefs.leader().is !== 'self') {
      if (opened !== 'lost') await door.shut()
      setTimeout(() => void this.settle(), REOPEN_MS).unref()
      return
    }
    followLog.finish()
    this.step(true)
    // Not awaited: what it writes may have to wait for the next change of the leader, which waits for this.
    void this.options.onLead().then(() => this.ready())
  }

  /** Takes the primary's place, or leaves it. */
  private step(leads: boolean): void {
    if (this.leads === leads) return
    const { hub, freshness, onRoad, log } = this.options
    log.info({ region: this.options.region, leads }, leads ? 'this region leads' : 'this region leads no more')
    this.leads = leads
    this.current = leads ? { isHere: true, carry: (order, confirm) => this.carryHere(order, confirm) } : null
    hub.open(leads)
    if (leads) freshness.leads()
    onRoad()
  }

  private async carryHere(order: Order, confirm: boolean): Promise<Carried> {
    if (!this.leads || this.handing) return 'lost'
    const carried = await this.options.door.carryOut(order)
    if (carried === 'lost') this.lost()
    else if (confirm && 'answer' in carried && !(await this.reports.confirmed(carried.position, ASK_MS)))
      this.options.onUnconfirmed()
    return carried
  }

  private listenToHub(dialler: LinkDialler): void {
    dialler.onMessage((message) => {
      if (message.kind === 'here') this.options.freshness.heard(message.position)
      if (message.kind === 'takeOver') void this.takeOver(message.position)
      else this.overLink.hear(message)
    })
    dialler.onLinked((hub) => {
      this.primaryHub = hub
      this.current = { isHere: false, carry: (order, confirm) => this.overLink.carry(order, confirm) }
      this.report()
      void this.getReady()
      this.options.onRoad()
    })
    dialler.onUnlinked(() => {
      this.primaryHub = null
      if (!this.leads) this.current = null
      this.overLink.end()
      this.options.onRoad()
    })
  }

  /** The primary ends and asks this region to go on, once it has everything. */
  private async takeOver(position: Position): Promise<void> {
    const { caughtUp, litefs, log, onTakeOver } = this.options
    const asker = this.primaryHub
    if (!(await caughtUp.reached(position, REACH_MS))) return
    await Promise.race([onTakeOver(), new Promise((resolve) => setTimeout(resolve, FETCH_MS))])
    // Whoever asked has turned to another region by now.
    if (asker === null || this.primaryHub !== asker) return
    await litefs.promote().catch((error: Error) => log.warn({ err: error }, 'the lease could not be taken over'))
  }

  private leaderChanges(): Promise<boolean> {
    const { litefs } = this.options
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), TAKE_OVER_MS)
      const look = () => {
        if (litefs.leader().is === 'self') return
        clearTimeout(timer)
        resolve(true)
      }
      litefs.onLeader(look)
      look()
    })
  }

  /** Something new is visible here, or was and could not be read. */
  private arrived(): void {
    try {
      this.takeIn()
    } catch (error) {
      if (!isHeldUp(error)) throw error
      this.again ??= setTimeout(() => {
        this.again = null
        if (!this.ended) this.arrived()
      }, AGAIN_MS)
    }
  }

  private takeIn(): void {
    const { followLog, caughtUp, freshness, local, onTransaction } = this.options
    onTransaction()
    followLog.follow()
    caughtUp.check()
    freshness.arrived(local())
    if (this.leads) return
    // The leap that begins a reign of our own comes before we are told that it began: it is no other region's.
    if (this.options.litefs.leader().is !== 'self') this.options.reigns.check(this.options.read)
    this.reporting.schedule()
  }

  private report(): void {
    if (this.primaryHub) this.options.dialler.send({ kind: 'position', position: this.options.local() })
  }

  /** People are sent here once this region has shown, on this line, what the primary had. */
  private async getReady(): Promise<void> {
    const hub = this.primaryHub
    while (!this.isReady && !this.ended && this.primaryHub === hub) if (await this.isFresh()) this.ready()
  }

  private ready(): void {
    this.isReady = true
  }
}
