import { describe, expect, it, vi } from 'vitest'
import { loadMigrations } from '../database/migrate.ts'
import { assertNoFaults, SIMULATION_TIMEOUT_MS } from '../testing/simulation/assert-no-faults.ts'
import { runSimulation } from '../testing/simulation/run-simulation.ts'

// Real threads load modules, and simulated time does not wait for them.
vi.mock(import('../database/migrate.ts'), async (original) => {
  const real = await original()
  const loaded = await real.loadMigrations()
  return { ...real, loadMigrations: () => Promise.resolve(loaded) }
})

/** The second half of the seeds, in a file of its own so that another worker runs it, and those that found a fault. */
const runs = [
  ...[14, 48, 50].map((seed) => ({ seed, what: 'nothing is lost, doubled or out of order' })),
  { seed: 7, what: 'a primary that was restarted alone forgot what it had committed before' },
  { seed: 8, what: 'after a handover times had fractions, and no row took them' },
]
const repeatedSeed = Number(process.env.SIMULATION_SEED ?? 1)

describe('more regions on a simulated clock, network and LiteFS', () => {
  for (const { seed, what } of process.env.SIMULATION_SEED ? [] : runs)
    it(`[REG-36] ${what}: SIMULATION_SEED=${seed}`, { timeout: SIMULATION_TIMEOUT_MS }, () => assertNoFaults(seed))

  it('[REG-36] the same seed is the same run', { timeout: 2 * SIMULATION_TIMEOUT_MS }, async () => {
    const once = await runSimulation(repeatedSeed, await loadMigrations())
    const again = await runSimulation(repeatedSeed, await loadMigrations())
    expect(again.trace).toEqual(once.trace)
    expect(again.fingerprint).toBe(once.fingerprint)
  })
})
