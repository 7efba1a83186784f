import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { removeStaleFolders } from '../../scripts/regions/folder.ts'
import { mountsBelow } from '../../scripts/regions/mount.ts'
import { processesWith, sendSignal } from '../../scripts/regions/processes.ts'
import { until } from '../../scripts/regions/until.ts'

interface Running {
  child: ChildProcess
  origins: string[]
  /** Where everything of it lies. */
  folder: string
}

/** `npm run regions -- 2`, with a stand-in for the site; answers when it says that all serve. */
async function run(): Promise<Running> {
  const child = spawn(process.execPath, ['scripts/regions.ts', '2', 'node', 'tests/regions/stand-in.ts'], {
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

describe.skipIf('missing' in inject('litefs'))('npm run regions', () => {
  it('says where its regions are when all serve, starts again what ends, and leaves nothing behind', async () => {
    const { child, origins, folder } = await run()
    expect(await Promise.all(origins.map(isReady))).toEqual([true, true])
    expect(mountsBelow(folder)).toHaveLength(2)

    const killed = processesWith('LITEFS_MOUNT', join(folder, 'fra/mount'))
    for (const { pid } of killed) sendSignal(pid, 'SIGKILL')
    await until('fra is gone', async () => !(await isReady(origins[1] ?? '')))
    await until('fra is back', () => isReady(origins[1] ?? ''))

    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(mountsBelow(folder)).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })

  it('is cleared up after by the next when it had no time to', async () => {
    const { child, folder } = await run()
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(mountsBelow(folder)).toHaveLength(2)
    await removeStaleFolders()
    expect(mountsBelow(folder)).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })
})
