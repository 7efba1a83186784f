import { setOwnPrivacy } from './set-own-privacy.ts'

/** The write commands of this feature. */
export const writes = [setOwnPrivacy]
