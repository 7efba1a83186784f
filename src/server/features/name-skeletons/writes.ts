import { fillSkeletons } from './fill-skeletons.ts'

/** The write commands of this feature. */
export const writes = [fillSkeletons]
