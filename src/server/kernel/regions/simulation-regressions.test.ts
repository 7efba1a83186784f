import { describe, expect, it, vi } from 'vitest'
import { assertNoFaults, SIMULATION_TIMEOUT_MS } from '../../testing/simulation/assert-no-faults.ts'
import { runSimulation } from '../../testing/simulation/run-simulation.ts'
import { loadMigrations } from '../database/migrate.ts'

// Real threads load modules, and simulated time does not wait for them.
vi.mock(import('../database/migrate.ts'), async (original) => {
  const real = await original()
  const loaded = await real.loadMigrations()
  return { ...real, loadMigrations: () => Promise.resolve(loaded) }
})

/** Seeds that found a fault; the file is another one so that another worker runs it. */
const runs = [
  { seed: 7, what: 'a primary that was restarted alone forgot what it had committed before' },
  { seed: 8, what: 'after a handover times had fractions, and no row took them' },
]
const deepSeeds = [14, 48, 50]
const repeatedSeed = Number(process.env.SIMULATION_SEED ?? 1)

describe('more regions on a simulated clock, network and LiteFS', () => {
  for (const { seed, what } of process.env.SIMULATION_SEED ? [] : runs)
    it(`[REG-36] ${what}: SIMULATION_SEED=${seed}`, { timeout: SIMULATION_TIMEOUT_MS }, () => assertNoFaults(seed))

  for (const seed of process.env.SIMULATION_SEED ? [] : deepSeeds)
    it(
      `nothing is lost, doubled or out of order: SIMULATION_SEED=${seed}`,
      { tags: 'deep', timeout: SIMULATION_TIMEOUT_MS },
      () => assertNoFaults(seed),
    )

  it('the same seed is the same run', { tags: 'deep', timeout: 2 * SIMULATION_TIMEOUT_MS }, async () => {
    const once = await runSimulation(repeatedSeed, await loadMigrations())
    const again = await runSimulation(repeatedSeed, await loadMigrations())
    expect(again.trace).toEqual(once.trace)
    expect(again.fingerprint).toBe(once.fingerprint)
  })
})
