import type { Calls } from './calls.ts'
import { calls } from './state.ts'
import './window/call-window.tsx'

/** The calls of this tab, with their window: this file and its imports load with the first call. */
export function getCalls(): Calls {
  return calls
}
