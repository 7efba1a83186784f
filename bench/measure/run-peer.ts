import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Runs a standalone peer in a child process with `task` as JSON in its first argument. Returns the JSON
 * that it prints. Throws after two minutes.
 */
export async function runPeer<T>(entry: string, task: object): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [entry, JSON.stringify(task)], {
    env: { ...process.env, NODE_ENV: 'production' },
    timeout: 120_000,
  })
  // Each peer prints the type that its measurement expects.
  return JSON.parse(stdout) as T
}
