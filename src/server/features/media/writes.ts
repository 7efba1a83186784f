import { registerFile } from './register-file.ts'
import { sweepFiles } from './sweep-files.ts'

/** The write commands of this feature. */
export const writes = [registerFile, sweepFiles]
