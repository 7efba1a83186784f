import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unmountBelow } from './litefs-mounts.ts'
import { pollUntil } from './poll-until.ts'
import { findProcessesByEnv, type ProcessInfo, sendSignal } from './processes.ts'
import { environmentOf, LITEFS_CONFIG_FILE, mountOf, originOf, type RegionPlan } from './region-plan.ts'

/** Of a start that hangs. A new release that waits for the primary to migrate starts with it, on a machine that may be busy. */
const READY_TIMEOUT_MS = 180_000
/** The site ends within 5 s of SIGTERM, and LiteFS within one more. */
const END_TIMEOUT_MS = 10_000

/** LiteFS and the site that it starts. */
export interface RegionProcess {
  /** The plan of the next start. */
  readonly plan: RegionPlan
  /** Starts it; resolves when the site is ready. Rejects with its output when it ends earlier. */
  start(): Promise<void>
  /** Starts it without waiting until it is ready. */
  startWithoutWaiting(): Promise<void>
  /** Output of both processes over all starts. */
  output(): string
  /** Sends LiteFS a signal, as the container's runtime does; returns its exit code. */
  signal(name: NodeJS.Signals): Promise<number | null>
  /** Sends SIGKILL to one or both. LiteFS ends when the site ends, but not the other way round. */
  kill9(which: 'site' | 'litefs' | 'both'): Promise<void>
  /** Resolves when LiteFS has ended, or at once if it is not running. */
  waitForExit(): Promise<void>
  /** Stops it with SIGTERM, then SIGKILL, and unmounts. */
  stop(): Promise<void>
}

/** A region that is not started yet. `litefs` is the executable. */
export function createRegionProcess(plan: RegionPlan, litefs: string): RegionProcess {
  const log = join(plan.folder, 'output.log')
  mkdirSync(plan.folder, { recursive: true })
  let child: ChildProcess | null = null

  const alive = () => findProcessesByEnv('LITEFS_MOUNT', mountOf(plan))
  const output = () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
  const kill = async (chosen: (process: ProcessInfo) => boolean) => {
    const targets = alive().filter(chosen)
    for (const { pid } of targets) sendSignal(pid, 'SIGKILL')
    await pollUntil(
      'killed processes have ended',
      () => !alive().some(({ pid }) => targets.some((target) => target.pid === pid)),
      END_TIMEOUT_MS,
    )
  }

  const launch = async () => {
    await kill(() => true)
    // A killed LiteFS leaves a dead mount, over which LiteFS cannot mount.
    unmountBelow(mountOf(plan))
    child = spawnLitefs(plan, litefs, log)
    return child
  }
  const start = async () => {
    const started = await launch()
    await pollUntil(`${plan.name} is ready`, async () => hasEnded(started) || (await isReady(plan)), READY_TIMEOUT_MS)
    if (hasEnded(started)) throw new Error(`${plan.name} ended with ${started.exitCode}:\n${output()}`)
  }

  const exited = async () => {
    if (child && !hasEnded(child)) await once(child, 'exit')
  }
  const signal = async (name: NodeJS.Signals) => {
    child?.kill(name)
    await exited()
    return child?.exitCode ?? null
  }

  return {
    plan,
    start,
    startWithoutWaiting: async () => void (await launch()),
    output,
    signal,
    kill9: async (which) => {
      const isLitefs = ({ pid }: ProcessInfo) => pid === child?.pid
      if (which === 'both') await kill(() => true)
      else await kill((process) => isLitefs(process) === (which === 'litefs'))
    },
    waitForExit: exited,
    stop: async () => {
      // LiteFS without a site has no unsaved state.
      if (alive().length < 2) await kill(() => true)
      const killTimer = setTimeout(() => void kill(() => true), END_TIMEOUT_MS)
      await signal('SIGTERM')
      clearTimeout(killTimer)
      await kill(() => true)
      unmountBelow(mountOf(plan))
    },
  }
}

/** Detached, so that Ctrl+C in a terminal reaches it once, through this process. */
function spawnLitefs(plan: RegionPlan, litefs: string, log: string): ChildProcess {
  const command = plan.command ? ['--', ...plan.command] : []
  const output = openSync(log, 'a')
  const child = spawn(litefs, ['mount', '-config', LITEFS_CONFIG_FILE, ...command], {
    cwd: dirname(LITEFS_CONFIG_FILE),
    env: environmentOf(plan),
    stdio: ['ignore', output, output],
    detached: true,
  })
  closeSync(output)
  return child
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function isReady(plan: RegionPlan): Promise<boolean> {
  try {
    return (await fetch(`${originOf(plan)}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}
