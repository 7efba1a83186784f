import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The text of a file that LiteFS shows beside the database; null without such a file. Throws when the mount is dead. */
export function readMountFile(databaseFile: string, name: string): string | null {
  try {
    return readFileSync(join(dirname(databaseFile), name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null // what node:fs throws
    throw error
  }
}

/**
 * Whether LiteFS is dead after its event stream broke: the mount fails at once (ENOTCONN, decision 0008), or it is gone
 * and connections are refused.
 */
export function isMountDead(databaseFile: string, isRefused: boolean): boolean {
  try {
    return readMountFile(databaseFile, '.lag') === null && isRefused
  } catch {
    return true
  }
}
