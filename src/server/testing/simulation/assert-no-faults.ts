import { expect } from 'vitest'
import { loadMigrations } from '../../kernel/database/migrate.ts'
import { runSimulation } from './run-simulation.ts'

/** Timeout of one simulated run on a busy machine, in real time. */
export const SIMULATION_TIMEOUT_MS = 120_000

/** Runs the seed's plan. Prints the plan and its trace when an invariant is violated. */
export async function assertNoFaults(seed: number): Promise<void> {
  const { plan, violations, trace, answeredCount } = await runSimulation(seed, await loadMigrations())
  if (violations.length > 0) console.error([JSON.stringify(plan), ...trace].join('\n'))
  expect(violations, `SIMULATION_SEED=${seed}`).toEqual([])
  expect(answeredCount).toBeGreaterThan(20)
}
