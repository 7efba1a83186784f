import { trimLog } from './events.ts'

/** The write commands of this feature. */
export const writes = [trimLog]
