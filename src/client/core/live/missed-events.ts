import { signal } from '../signals/signal.ts'
import { live } from './state.ts'

/** Counts connections that did not resume: events were missed, and what they kept current must be loaded again. */
export const missedEvents = signal(0)

live.onConnected((resumed) => {
  if (!resumed) missedEvents.value++
})
