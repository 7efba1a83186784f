import { calibrate, REFERENCE_MS } from '../../scripts/cpu-meter.ts'

/**
 * How long a browser or a process is awaited where the time is no part of what is tested: far longer than any takes on a busy,
 * slow machine. Pages and polls wait so long by default.
 */
export const PATIENCE_MS = 60_000

/** How many times longer work takes now, with all that runs beside it, than on the idle machine of decision 0075; at least 1. */
export async function measureSlowdown(): Promise<number> {
  const startedAt = performance.now()
  await calibrate()
  return Math.max(1, (performance.now() - startedAt) / REFERENCE_MS)
}
