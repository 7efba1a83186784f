import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unmountBelow } from './litefs-mounts.ts'
import { pollUntil } from './poll-until.ts'
import { findProcessesByEnv, parentProcess, processStartTime, sendSignal } from './processes.ts'

const FOLDER_PREFIX = 'meydan-regions-'

/** Creates a temporary folder whose name has the id and start time of this process. */
export function makeRegionsFolder(): string {
  return mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-${processStartTime(process.pid)}-`))
}

/** Kills the processes of the folder, unmounts, and removes it. */
export async function removeRegionsFolder(folder: string): Promise<void> {
  killAndUnmountRegionsFolder(folder)
  await pollUntil(`processes in ${folder} end`, () => processesIn(folder).length === 0)
  rmSync(folder, { recursive: true, force: true })
}

/** Synchronous clean-up at process exit: kills and unmounts; the next run removes the files. */
export function killAndUnmountRegionsFolder(folder: string): void {
  for (const { pid } of processesIn(folder)) sendSignal(pid, 'SIGKILL')
  unmountBelow(folder)
}

function processesIn(folder: string) {
  return findProcessesByEnv('LITEFS_MOUNT', `${folder}/`)
}

/** Removes the folders of processes that ended without clean-up, and of those that this process started. */
export async function removeStaleFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const [pid, startedAt] = name.slice(FOLDER_PREFIX.length).split('-')
    const isEnded = processStartTime(Number(pid)) !== startedAt
    if (isEnded || parentProcess(Number(pid)) === process.pid) await removeRegionsFolder(join(tmpdir(), name))
  }
}
