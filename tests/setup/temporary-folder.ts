import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Linux's file system in memory. */
const MEMORY_FOLDER = '/dev/shm'
/** More than all databases and uploads of a run; containers often get only 64 MiB there. */
const MIN_FREE_BYTES = 2 ** 30

/** The folder for the tests' temporary files: in memory where there is room, because each commit waits for the disk. */
export function findTemporaryFolder(): string {
  if (process.env.TMPDIR) return process.env.TMPDIR
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return bavail * bsize >= MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir()
  } catch {
    return tmpdir() // this system has no such folder
  }
}
