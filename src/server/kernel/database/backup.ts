import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { DatabaseError, openForReading } from './open.ts'

/**
 * Copies a consistent snapshot of the database into a new, compact file; the site may keep running.
 * Throws a DatabaseError when there is no database or the target exists.
 */
export function backUp(databaseFile: string, target: string): void {
  if (!existsSync(databaseFile)) throw new DatabaseError(`There is no database at ${databaseFile}.`)
  if (existsSync(target)) throw new DatabaseError(`${target} exists already, and a backup overwrites nothing.`)
  const draft = `${target}.partial`
  rmSync(draft, { force: true })
  const db = openForReading(databaseFile)
  try {
    // SQLite writes into an existing empty file and keeps its mode: only the owner may read users' messages.
    closeSync(openSync(draft, 'wx', 0o600))
    // SQLite's backup API would start over after each write of another process.
    db.prepare('vacuum into ?').run(draft)
    fsyncPath(draft)
    renameSync(draft, target)
  } finally {
    db.close()
    rmSync(draft, { force: true })
  }
}

/** Flushes a file or folder from the system's caches to the disk. */
export function fsyncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
