import { reportDiskLevel } from './report-disk-level.ts'

/** The write commands of this feature. */
export const writes = [reportDiskLevel]
