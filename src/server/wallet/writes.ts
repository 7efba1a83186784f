import { optionWrites } from './options/option-writes.ts'

/** The write commands of this feature. */
export const writes = [...optionWrites]
