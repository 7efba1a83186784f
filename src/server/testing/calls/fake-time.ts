import { vi } from 'vitest'

/** Turns that an event needs to pass from one region to another. */
const TURNS = 6

/** Fakes timers and clocks; turns of the event loop stay real. */
export function fakeTime(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  })
}

/** Lets time pass and pending events be delivered. */
export async function pass(ms = 25): Promise<void> {
  await passTurns()
  await vi.advanceTimersByTimeAsync(ms)
  await passTurns()
}

async function passTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve))
}
