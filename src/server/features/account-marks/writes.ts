import { touchAccountMarks } from './touch-account-marks.ts'

/** The write commands of this feature. */
export const writes = [touchAccountMarks]
