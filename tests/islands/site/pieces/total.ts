import { signal } from '../../../../src/client/signal.ts'

/** Shared by the islands that add to it and show it. */
export const total = signal(0)
