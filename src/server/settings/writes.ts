import { setOwnPrivacy } from './set-privacy.ts'

/** The write commands of this feature. */
export const writes = [setOwnPrivacy]
