import { recordMissedCall } from './record-missed-call.ts'

/** The write commands of this feature. */
export const writes = [recordMissedCall]
