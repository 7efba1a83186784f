import { updateProfile } from './update-profile.ts'

/** The write commands of this feature. */
export const writes = [updateProfile]
