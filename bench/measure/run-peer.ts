import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Runs a peer that works by itself in a process of its own, with `task` as JSON in its first argument, and answers
 * with the JSON that it prints.
 */
export async function runPeer<T>(entry: string, task: object): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [entry, JSON.stringify(task)], {
    env: { ...process.env, NODE_ENV: 'production' },
    timeout: 120_000,
  })
  // Each peer prints what its own measurement reads.
  return JSON.parse(stdout) as T
}
