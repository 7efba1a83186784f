import type { BatchResult, Job } from './writer.ts'

/** What the writer's thread says to the region: ready once, then the result of each batch. */
export type FromWriter = { ready: true } | { unusable: string } | BatchResult

/** What the region says last: close the file. */
export const CLOSE = 'close'
export type ToWriter = Job[] | typeof CLOSE
