import type { Treatment } from '../../src/server/testing/fixtures/ghost-scenario.ts'
import { runSql } from '../../src/server/testing/fixtures/test-rooms.ts'
import { jsonRenderer, startHttpRegion } from '../drivers/http-region.ts'
import { Participant, type RecordedSite } from './ghost-participant.ts'
import type { People, ScriptStep } from './ghost-script.ts'
import type { HandClock } from './hand-clock.ts'
import { STEP_MS } from './normalise-recording.ts'

/** Past the wait of a guest who has entered a room. */
const ENTRY_STEPS = 23
/** After the start of a step: away from the jobs of a region, which run at whole seconds after it has opened. */
const ACTION_AFTER_MS = 250
/** Times are recorded as numbers of whole steps, which begin between actions, jobs, and what follows them after whole seconds. */
const RECORD_AFTER_MS = ACTION_AFTER_MS - 125 - STEP_MS / 2

/** A site whose guest is banned, leaves in the moment of the ban, or goes on as before. */
export class GhostRun {
  readonly treatment: Treatment
  readonly people: People
  private readonly site: RecordedSite
  private isGone = false

  private constructor(site: RecordedSite, treatment: Treatment, people: People) {
    this.site = site
    this.treatment = treatment
    this.people = people
  }

  static async open(site: RecordedSite, treatment: Treatment): Promise<GhostRun> {
    const { region } = site.http
    runSql(region, "update room set mediaPreference = 'everyone'")
    const run = new GhostRun(site, treatment, {
      root: new Participant(site, await region.createRootAdmin('yönetici')),
      hayal: new Participant(site, await region.createGuest('hayal')),
      can: new Participant(site, await region.createMember('can')),
      ece: new Participant(site, await region.createGuest('ece')),
    })
    for (const [name, person] of Object.entries(run.people)) {
      await person.openTab(name === 'ece' ? 2 : 1)
      await person.call('/users/refresh-token', {})
    }
    return run
  }

  /** Takes a step, unless it is one of a guest who is gone. */
  async take({ who, act }: ScriptStep): Promise<void> {
    if (who !== 'hayal' || !this.isGone) await act(this.people)
  }

  /** The guest is ghost-banned, or leaves the site, or goes on. */
  async treat(): Promise<void> {
    if (this.treatment === 'ghost') await this.ban()
    if (this.treatment === 'gone') await this.leave()
  }

  forgetSteps(): void {
    for (const { steps } of Object.values(this.people)) steps.length = 0
  }

  async endStep(name: string): Promise<void> {
    const people = Object.values(this.people)
    await Promise.all(people.map((person) => person.receiveAll()))
    for (const person of people) person.endStep(name)
  }

  async close(): Promise<void> {
    for (const person of Object.values(this.people)) await person.closeAllTabs()
    await this.site.http.close()
  }

  private async ban(): Promise<void> {
    const { username } = this.people.hayal.user
    const { root } = this.people
    const adminToken = await this.site.http.region.signAdminToken(root.user)
    await root.request('adminConnected', { adminToken })
    const answer = await root.request('ghostBanGuest', {
      username,
      banDuration: 'indefinite',
      isGuest: true,
    })
    if (answer.success !== true) throw new Error(`the guest was not banned: ${JSON.stringify(answer)}`)
  }

  /** As a guest who closes the site for good: without the grace of a connection that broke. */
  private async leave(): Promise<void> {
    this.isGone = true
    const { presence, publisher } = this.site.http.region.appContext
    for (const connection of presence.connectionsOf(this.people.hayal.user.userId)) {
      connection.markClosed(null)
      publisher.unsubscribeAll(connection)
      presence.removeConnection(connection, 'left')
    }
    await this.people.hayal.closeAllTabs()
  }
}

/** Runs that take the same steps at the same times, on a clock that only they move. */
export class ParallelRuns {
  readonly runs: readonly GhostRun[]
  private readonly clock: HandClock
  private nextStepAt: number

  private constructor(clock: HandClock, runs: readonly GhostRun[], nextStepAt: number) {
    this.clock = clock
    this.runs = runs
    this.nextStepAt = nextStepAt
  }

  /** Opens a site for each treatment, and waits until its guest may write. */
  static async open(clock: HandClock, treatments: readonly Treatment[], picture: Uint8Array) {
    const openedAt = Date.now()
    const startedAt = openedAt + RECORD_AFTER_MS
    const openSite = () => startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000' }, jsonRenderer)
    const sites = await clock.settle(Promise.all(treatments.map(openSite)))
    const openings = sites.map((http, index) =>
      GhostRun.open({ http, picture, startedAt }, treatments[index] ?? 'free'),
    )
    const runs = await clock.settle(Promise.all(openings))
    const parallel = new ParallelRuns(clock, runs, openedAt + STEP_MS + ACTION_AFTER_MS)
    for (let i = 0; i < ENTRY_STEPS; i++) await parallel.takeStep('enter', async () => {})
    for (const run of runs) run.forgetSteps()
    return parallel
  }

  async takeSteps(steps: readonly ScriptStep[]): Promise<void> {
    for (const step of steps) await this.takeStep(step.name, (run) => run.take(step))
  }

  async takeStep(name: string, take: (run: GhostRun) => Promise<void>): Promise<void> {
    await this.clock.advanceTo(this.nextStepAt)
    this.nextStepAt += STEP_MS
    await this.clock.settle(Promise.all(this.runs.map(take)))
    await this.clock.advanceTo(this.nextStepAt - ACTION_AFTER_MS)
    await this.clock.settle(Promise.all(this.runs.map((run) => run.endStep(name))))
  }

  async close(): Promise<void> {
    await this.clock.settle(Promise.all(this.runs.map((run) => run.close())))
  }
}
