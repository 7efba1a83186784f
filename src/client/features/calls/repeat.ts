import type { Cancel, Environment } from '../../core/platform/environment.ts'

/** Calls `run` every `ms` milliseconds, first after that time, until it is cancelled. */
export function repeat(environment: Pick<Environment, 'setTimer'>, ms: number, run: () => void): Cancel {
  let cancel: Cancel
  const schedule = (): void => {
    cancel = environment.setTimer(ms, () => {
      schedule()
      run()
    })
  }
  schedule()
  return () => cancel()
}
