import { describe, it, vi } from 'vitest'
import { assertNoFaults, SIMULATION_TIMEOUT_MS } from '../../testing/simulation/assert-no-faults.ts'

// Real threads load modules, and simulated time does not wait for them.
vi.mock(import('../database/migrate.ts'), async (original) => {
  const real = await original()
  const loaded = await real.loadMigrations()
  return { ...real, loadMigrations: () => Promise.resolve(loaded) }
})

const { SIMULATION_SEED, TEST_SEED = '1' } = process.env

/** Together with those of simulation-regressions.test.ts they turn red for each fault that was built in to try the checker. */
const seeds = SIMULATION_SEED ? [Number(SIMULATION_SEED)] : [1]
const deepSeeds = SIMULATION_SEED
  ? []
  : [2, 4, 5, 6, 10, 13, ...[0, 1, 2].map((n) => (Number(TEST_SEED) + n) % 1_000_000)]

describe('whole regions on a simulated clock, network and LiteFS', () => {
  for (const seed of seeds)
    it(
      `[REG-36] nothing is lost, doubled or out of order: SIMULATION_SEED=${seed}`,
      { timeout: SIMULATION_TIMEOUT_MS },
      () => assertNoFaults(seed),
    )

  for (const seed of deepSeeds)
    it(
      `nothing is lost, doubled or out of order: SIMULATION_SEED=${seed}`,
      { tags: 'deep', timeout: SIMULATION_TIMEOUT_MS },
      () => assertNoFaults(seed),
    )
})
