import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { removeStaleFolders } from '../../scripts/regions/folder.ts'
import { mountsBelow } from '../../scripts/regions/mount.ts'
import { processesWith, sendSignal } from '../../scripts/regions/processes.ts'
import { until } from '../../scripts/regions/until.ts'
import { missing } from './open.ts'
import type { Status } from './status.ts'

interface Running {
  child: ChildProcess
  origins: string[]
  /** Where everything of it lies. */
  folder: string
}

/** `npm run regions -- ...`; answers when it says that all serve. */
async function run(...args: string[]): Promise<Running> {
  const child = spawn(process.execPath, ['scripts/regions.ts', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGTERM'))
  const [[line], [said]] = await Promise.all([
    once(createInterface({ input: child.stdout }), 'line'),
    once(createInterface({ input: child.stderr }), 'line'),
  ])
  return { child, folder: /\S*meydan-regions-[\w-]+/.exec(said)?.[0] ?? '', ...JSON.parse(line) }
}

const isReady = async (origin: string) => (await fetch(`${origin}/readyz`).catch(() => null))?.ok

async function roleOf(origin: string): Promise<unknown> {
  const { region, role, primary } = (await (await fetch(`${origin}/api/region`)).json()) as Status // the contract of the route
  return [region, role, primary]
}

describe.skipIf(missing('litefs'))('npm run regions', () => {
  it('[REG-37] brings up one site, starts again what ends, and leaves nothing behind', async () => {
    const { child, origins, folder } = await run('3')
    expect(await Promise.all(origins.map(isReady))).toEqual([true, true, true])
    expect(mountsBelow(folder)).toHaveLength(3)
    expect(await Promise.all(origins.map(roleOf))).toEqual([
      ['ist', 'primary', 'ist'],
      ['fra', 'replica', 'ist'],
      ['sin', 'replica', 'ist'],
    ])

    const killed = processesWith('LITEFS_MOUNT', join(folder, 'fra/mount'))
    for (const { pid } of killed) sendSignal(pid, 'SIGKILL')
    await until('fra is gone', async () => !(await isReady(origins[1] ?? '')))
    await until('fra is back', () => isReady(origins[1] ?? ''))

    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(mountsBelow(folder)).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })

  it('[REG-37] is cleared up after by the next when it had no time to', async () => {
    const { child, folder } = await run('2', 'node', 'tests/regions/stand-in.ts')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(mountsBelow(folder)).toHaveLength(2)
    await removeStaleFolders()
    expect(mountsBelow(folder)).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })
})
