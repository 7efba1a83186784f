// @module-tag deep
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listMountsBelow } from '../../scripts/regions/litefs-mounts.ts'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { findProcessesByEnv, sendSignal } from '../../scripts/regions/processes.ts'
import { removeStaleFolders } from '../../scripts/regions/regions-folder.ts'
import type { RegionStatus } from './region-status.ts'
import { findMissingTool } from './test-cluster.ts'

interface RunningRegions {
  child: ChildProcess
  origins: string[]
  /** The folder of all regions. */
  folder: string
}

/** Runs `npm run regions -- ...`; resolves when it prints that all regions serve. */
async function runRegionsCommand(...args: string[]): Promise<RunningRegions> {
  const child = spawn(process.execPath, ['scripts/regions.ts', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGTERM'))
  const lines = Promise.all([
    once(createInterface({ input: child.stdout }), 'line'),
    once(createInterface({ input: child.stderr }), 'line'),
  ])
  const end = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the command ended with ${code}`)))
  end.catch(() => {}) // it ends after this, as a rule
  const [[outputLine], [errorLine]] = await Promise.race([lines, end])
  return { child, folder: /\S*meydan-regions-[\w-]+/.exec(errorLine)?.[0] ?? '', ...JSON.parse(outputLine) }
}

const isReady = async (origin: string) => (await fetch(`${origin}/readyz`).catch(() => null))?.ok

async function fetchRole(origin: string): Promise<unknown> {
  const { region, role, primary } = (await (await fetch(`${origin}/api/region`)).json()) as RegionStatus // the contract of the route
  return [region, role, primary]
}

describe.skipIf(findMissingTool('litefs'))('npm run regions', () => {
  it('[REG-37] starts one site in three regions, restarts a killed region, and removes everything on SIGTERM', async () => {
    const { child, origins, folder } = await runRegionsCommand('3')
    expect(await Promise.all(origins.map(isReady))).toEqual([true, true, true])
    expect(listMountsBelow(folder)).toHaveLength(3)
    expect(await Promise.all(origins.map(fetchRole))).toEqual([
      ['ist', 'primary', 'ist'],
      ['fra', 'replica', 'ist'],
      ['sin', 'replica', 'ist'],
    ])

    const killed = findProcessesByEnv('LITEFS_MOUNT', join(folder, 'fra/mount'))
    for (const { pid } of killed) sendSignal(pid, 'SIGKILL')
    await pollUntil('fra is down', async () => !(await isReady(origins[1] ?? '')))
    await pollUntil('fra is ready', () => isReady(origins[1] ?? ''))

    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(listMountsBelow(folder)).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })

  it('[REG-37] removes the mounts and folders that a killed command has left', async () => {
    const { child, folder } = await runRegionsCommand('2', 'node', 'tests/regions/litefs-probe-app.ts')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(listMountsBelow(folder)).toHaveLength(2)
    await removeStaleFolders()
    expect(listMountsBelow(folder)).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })
})
