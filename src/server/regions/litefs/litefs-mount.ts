import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file that LiteFS shows beside the database; null where there is none. Throws when nothing answers in the mount. */
export function readMountFile(databaseFile: string, name: string): string | null {
  try {
    return readFileSync(join(dirname(databaseFile), name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null // what node:fs throws
    throw error
  }
}

/**
 * Whether LiteFS, whose stream has just broken, is dead: the mount fails at once (ENOTCONN, decision 0008), or it is
 * gone and nobody listens either.
 */
export function isMountDead(databaseFile: string, isRefused: boolean): boolean {
  try {
    return readMountFile(databaseFile, '.lag') === null && isRefused
  } catch {
    return true
  }
}
