import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unmountBelow } from './litefs-mounts.ts'
import { pollUntil } from './poll-until.ts'
import { findProcessesByEnv, type ProcessInfo, sendSignal } from './processes.ts'
import { environmentOf, LITEFS_CONFIG_FILE, mountOf, originOf, type RegionPlan } from './region-plan.ts'

const READY_TIMEOUT_MS = 60_000
/** The site ends within 5 s of SIGTERM, and LiteFS within one more. */
const END_TIMEOUT_MS = 10_000

/** LiteFS and the site that it starts. */
export interface RegionProcess {
  /** What the next start goes by. */
  readonly plan: RegionPlan
  /** Starts it; resolves when the site is ready for people. Rejects with its output when it ends before. */
  start(): Promise<void>
  /** Starts it and waits for nothing: not every region is to become ready. */
  startWithoutWaiting(): Promise<void>
  /** What both printed so far, in all their lives. */
  output(): string
  /** Sends LiteFS a signal, as the container's runtime does; answers its exit code. */
  signal(name: NodeJS.Signals): Promise<number | null>
  /** Ends one of them as the kernel would, or both at once. LiteFS ends by itself when the site does; the site may not. */
  kill9(which: 'site' | 'litefs' | 'both'): Promise<void>
  /** Resolves when LiteFS has ended, however that came; at once where it does not run. */
  waitForExit(): Promise<void>
  /** Ends it, kindly at first, and unmounts. */
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
    const doomed = alive().filter(chosen)
    for (const { pid } of doomed) sendSignal(pid, 'SIGKILL')
    await pollUntil(
      'the killed are gone',
      () => !alive().some(({ pid }) => doomed.some((gone) => gone.pid === pid)),
      END_TIMEOUT_MS,
    )
  }

  const launch = async () => {
    await kill(() => true)
    // What died without a farewell leaves a mount that nothing answers, and LiteFS cannot mount over it.
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
      // A LiteFS without a site has nothing to lose.
      if (alive().length < 2) await kill(() => true)
      const tooLong = setTimeout(() => void kill(() => true), END_TIMEOUT_MS)
      await signal('SIGTERM')
      clearTimeout(tooLong)
      await kill(() => true)
      unmountBelow(mountOf(plan))
    },
  }
}

/** In a session of its own, so that Ctrl+C in a terminal reaches it through us, once and in order. */
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
