import type { ReadonlySignal } from '../../core/signals/signal.ts'

/** Pictures and videos of other users that the viewer has not asked for. */
export interface MediaHiding {
  readonly isOn: ReadonlySignal<boolean>
  /** Why they are hidden, in Turkish. */
  readonly reason: string
  /** Shows them from now on; resolves with the reason of a refusal, in Turkish, else with null. */
  allow(): Promise<string | null>
}
