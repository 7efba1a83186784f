import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { type Report, standaloneFigure } from './measure/report.ts'
import { findFreePort } from './measure/server-process.ts'

const INSTALL_MS = 10 * 60_000
const SERVE_MS = 2 * 60_000
const STOP_MS = 10_000
const run = promisify(execFile)

/** Seconds of one installation and of one start until the first page. */
interface StartTimes {
  install: number
  start: number
}

/** Times `npm ci && npm start` in a checkout of the last commit, until the first page is served. */
export async function measure(): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-first-start-'))
  try {
    const cold = await measureFreshCheckout(folder, 'cold')
    const warm = await measureFreshCheckout(folder, 'warm')
    const again = await measureStart(join(folder, 'warm'), folder)
    return {
      figures: [
        standaloneFigure('cold: nothing fetched before', 's', [cold.install + cold.start]),
        standaloneFigure('cold, of it npm start', 's', [cold.start]),
        standaloneFigure('warm: npm has the packages', 's', [warm.install + warm.start]),
        standaloneFigure('npm start again: built and migrated', 's', [again]),
      ],
      notes: [
        'Measured once each, first with an empty npm cache. The network and other load on the machine affect it.',
      ],
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Installs and starts a fresh checkout below `folder`; all checkouts share one npm cache. */
async function measureFreshCheckout(folder: string, name: string): Promise<StartTimes> {
  const checkout = join(folder, name)
  await mkdir(checkout)
  await run('git', ['archive', '--output', join(folder, 'head.tar'), 'HEAD'])
  await run('tar', ['-xf', join(folder, 'head.tar'), '-C', checkout])
  const startedAt = performance.now()
  await run('npm', ['ci'], { cwd: checkout, env: cleanEnvironment(folder), timeout: INSTALL_MS, maxBuffer: 1e8 })
  return { install: secondsSince(startedAt), start: await measureStart(checkout, folder) }
}

/** Seconds from `npm start` to the first page. */
async function measureStart(checkout: string, folder: string): Promise<number> {
  const port = await findFreePort()
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    env: { ...cleanEnvironment(folder), PORT: String(port) },
    stdio: 'ignore',
    // A process group, so that npm and its children end together.
    detached: true,
  })
  try {
    await waitForFirstPage(`http://127.0.0.1:${port}/`, child)
    return secondsSince(startedAt)
  } finally {
    await killProcessGroup(child)
  }
}

async function waitForFirstPage(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + SERVE_MS
  while (performance.now() < deadline && child.exitCode === null) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok && (await response.text()).includes('</html>')) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`npm start served no page (exit code ${child.exitCode})`)
}

async function killProcessGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const exit = once(child, 'exit')
  const group = -child.pid
  process.kill(group, 'SIGTERM')
  const killTimer = setTimeout(() => process.kill(group, 'SIGKILL'), STOP_MS)
  await exit
  clearTimeout(killTimer)
}

/** The environment without the variables and paths that `npm run bench` adds. */
function cleanEnvironment(folder: string): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle|command|execpath|node_execpath|config_(cache|local_prefix))/.test(name),
  )
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'))
  return { ...Object.fromEntries(entries), PATH: path.join(delimiter), npm_config_cache: join(folder, 'npm-cache') }
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000
}
