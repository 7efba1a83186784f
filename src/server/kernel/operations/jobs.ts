import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Command, Execute } from '../database/commands/define-command.ts'

/** Work on a timer. */
export interface Job {
  intervalMs: number
  /** Whether only the primary runs it, for all regions. */
  isPrimaryOnly: boolean
  run(): unknown
}

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS

/** Starts all jobs; those with the same interval run one after another. Returns a function that stops them. */
export function startJobs(jobs: readonly Job[], isPrimary: () => boolean): () => void {
  const timers = [...Map.groupBy(jobs, ({ intervalMs }) => intervalMs)].map(([intervalMs, group]) =>
    setInterval(() => void runJobs(group, isPrimary), intervalMs).unref(),
  )
  return () => timers.forEach(clearInterval)
}

async function runJobs(group: readonly Job[], isPrimary: () => boolean): Promise<void> {
  for (const { isPrimaryOnly, run } of group) if (!isPrimaryOnly || isPrimary()) await run()
}

/** Repeats a command that removes a small batch until nothing is left, so that other commands do not wait long. */
export async function runInSteps<I extends object = object>(
  execute: Execute,
  command: Command<I, { removed: number }>,
  // A command without an input takes any.
  input = {} as I,
): Promise<void> {
  let step = await execute(command, null, input)
  while (!(step instanceof Refusal) && step.removed > 0) step = await execute(command, null, input)
}
