import { describe, expect, it, vi } from 'vitest'
import { loadMigrations } from '../database/migrate.ts'
import { simulate } from '../testing/simulation.ts'

// Modules are loaded by real threads, which simulated time does not wait for.
vi.mock(import('../database/migrate.ts'), async (original) => {
  const real = await original()
  const loaded = await real.loadMigrations()
  return { ...real, loadMigrations: () => Promise.resolve(loaded) }
})

const RUN_MS = 120_000
const { SIMULATION_SEED } = process.env
/** Always the same ones, so that a run that fails fails again; `SIMULATION_SEED` explores others. */
const seeds = SIMULATION_SEED ? [Number(SIMULATION_SEED)] : [1, 2, 3, 4, 5, 6, 7, 8]

describe('whole regions on a simulated clock, network and LiteFS', () => {
  for (const seed of seeds) {
    it(`[REG-36] loses, doubles and disorders nothing: SIMULATION_SEED=${seed}`, { timeout: RUN_MS }, async () => {
      const { plan, faults, story, answered } = await simulate(seed, await loadMigrations())
      if (faults.length > 0) console.error([JSON.stringify(plan), ...story].join('\n'))
      expect(faults).toEqual([])
      expect(answered).toBeGreaterThan(20)
    })
  }

  it('[REG-36] does the same again for the same seed', { timeout: 2 * RUN_MS }, async () => {
    const [seed = 1] = seeds
    const once = await simulate(seed, await loadMigrations())
    const again = await simulate(seed, await loadMigrations())
    expect(again.story).toEqual(once.story)
    expect(again.fingerprint).toBe(once.fingerprint)
  })
})
