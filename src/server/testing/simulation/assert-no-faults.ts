import { expect } from 'vitest'
import { loadMigrations } from '../../database/migrate.ts'
import { runSimulation } from './run-simulation.ts'

/** How long one simulated run may take on a busy machine. */
export const SIMULATION_TIMEOUT_MS = 120_000

/** Runs the seed's plan. Prints the plan and its trace when an invariant is violated. */
export async function assertNoFaults(seed: number): Promise<void> {
  const { plan, violations, trace, answeredCount } = await runSimulation(seed, await loadMigrations())
  if (violations.length > 0) console.error([JSON.stringify(plan), ...trace].join('\n'))
  expect(violations, `SIMULATION_SEED=${seed}`).toEqual([])
  expect(answeredCount).toBeGreaterThan(20)
}
