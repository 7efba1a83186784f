import { signal } from '../../../../src/client/core/signals/signal.ts'

/** Shared by the islands that add to it and show it. */
export const total = signal(0)
