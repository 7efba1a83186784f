import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { readProcessStat } from '../../bench/measure/process-stat.ts'
import { type SiteProcess, startSite } from '../drivers/site-process.ts'
import { BystanderProcess, type BystanderReport, expectUnnoticed } from './bystanders.ts'

/** The heavy form: each attack lasts this many times longer. */
const SCALE = Number(process.env.ATTACK_SCALE ?? 1)
/** Enough samples that the 99th percentile leaves out the slowest. */
const ATTACK_MS = 12_000 * SCALE
const MIB = 1024 * 1024
/** Memory that stays after an attack: caches that fill up to their bound, and what the allocator keeps. */
const MAX_KEPT_BYTES = 200 * MIB
/** Descriptors that stay: connections that clients keep alive. */
const MAX_KEPT_DESCRIPTORS = 20

/** A site with bystanders, whose quiet behaviour is measured first. All attacks of the run share it. */
export class AttackSite {
  readonly site: SiteProcess
  readonly #bystanders: BystanderProcess
  readonly #quiet: BystanderReport

  private constructor(site: SiteProcess, bystanders: BystanderProcess, quiet: BystanderReport) {
    this.site = site
    this.#bystanders = bystanders
    this.#quiet = quiet
  }

  static async start(): Promise<AttackSite> {
    const site = await startSite({ env: { MEYDAN_JOIN_WAIT_MS: '0' } })
    const bystanders = await BystanderProcess.connect(site.origin)
    const wait = () => sleep(ATTACK_MS)
    await bystanders.observe(wait) // compiles what the quiet measurement would otherwise wait for
    return new AttackSite(site, bystanders, await bystanders.observe(wait))
  }

  get origin(): string {
    return this.site.origin
  }

  get port(): number {
    return Number(new URL(this.site.origin).port)
  }

  /**
   * Repeats `step` until the attack's time is over. Asserts that no bystander notices it, and that the site's memory and
   * descriptors return to where they were.
   */
  async attack(step: () => Promise<unknown>): Promise<void> {
    const before = this.#readUse()
    const report = await this.#bystanders.observe(async () => {
      const endsAt = performance.now() + ATTACK_MS
      while (performance.now() < endsAt) await step()
    })
    expectUnnoticed(report, this.#quiet)
    await vi.waitFor(
      () => {
        const after = this.#readUse()
        expect(after.descriptors).toBeLessThan(before.descriptors + MAX_KEPT_DESCRIPTORS)
        expect(after.residentBytes).toBeLessThan(before.residentBytes + MAX_KEPT_BYTES)
      },
      { timeout: 60_000, interval: 500 },
    )
  }

  #readUse(): { descriptors: number; residentBytes: number } {
    const descriptors = readdirSync(`/proc/${this.site.pid}/fd`).length
    return { descriptors, residentBytes: readProcessStat(this.site.pid).residentBytes }
  }

  async stop(): Promise<void> {
    this.#bystanders.stop()
    await this.site.stop()
  }
}
