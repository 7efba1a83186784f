import { describe, expect, it, vi } from 'vitest'
import { loadMigrations } from '../database/migrate.ts'
import { simulate } from '../testing/simulation.ts'

// Modules are loaded by real threads, which simulated time does not wait for.
vi.mock(import('../database/migrate.ts'), async (original) => {
  const real = await original()
  const loaded = await real.loadMigrations()
  return { ...real, loadMigrations: () => Promise.resolve(loaded) }
})

const RUN_MS = 60_000
const { SIMULATION_SEED } = process.env
const drawn = Math.floor(Math.random() * 2 ** 31)
const seeds = SIMULATION_SEED ? [Number(SIMULATION_SEED)] : [1, 2, 3, 4, 5, 6, 7, 8, drawn]

describe('[REG-36] whole regions on a simulated clock, network and LiteFS', () => {
  it.for(seeds)(
    'loses, doubles and disorders nothing that was answered: SIMULATION_SEED=%d',
    async (seed) => {
      const { plan, faults, story, answered } = await simulate(seed, await loadMigrations())
      if (faults.length > 0) console.error([JSON.stringify(plan), ...story].join('\n'))
      expect(faults).toEqual([])
      expect(answered).toBeGreaterThan(20)
    },
    RUN_MS,
  )
})
