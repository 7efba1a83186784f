import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { DatabaseError, openForReading } from './open.ts'

/**
 * Copies the database into a new file, complete and compact, as it was at one moment; the site may go on meanwhile.
 * Throws a DatabaseError when there is nothing to copy or the file exists.
 */
export function backUp(databaseFile: string, target: string): void {
  if (!existsSync(databaseFile)) throw new DatabaseError(`There is no database at ${databaseFile}.`)
  if (existsSync(target)) throw new DatabaseError(`${target} exists already, and a backup overwrites nothing.`)
  const draft = `${target}.partial`
  rmSync(draft, { force: true })
  const db = openForReading(databaseFile)
  try {
    // Empty, so that SQLite writes into it; for its owner only, because it holds what people wrote.
    closeSync(openSync(draft, 'wx', 0o600))
    // Unlike SQLite's backup API it never starts over because somebody writes.
    db.prepare('vacuum into ?').run(draft)
    fsyncPath(draft)
    renameSync(draft, target)
  } finally {
    db.close()
    rmSync(draft, { force: true })
  }
}

/** Waits until the file's bytes have left the system's caches. */
export function fsyncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
