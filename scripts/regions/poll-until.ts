import { setTimeout as pause } from 'node:timers/promises'

/** Calls `ask` every 20 ms until it returns a truthy value, and returns that. Rejects after the deadline. */
export async function pollUntil<T>(
  what: string,
  ask: () => T | Promise<T>,
  deadlineMs = 60_000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > deadline) throw new Error(`${what}: not within ${deadlineMs} ms`)
    await pause(20)
  }
}
