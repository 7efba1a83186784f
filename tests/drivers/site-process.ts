import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { runAdmin } from '../../src/server/admin.ts'
import { readConfig } from '../../src/server/kernel/config.ts'
import { COMPILE_CACHE_ENV } from './compile-cache.ts'
import type { Site } from './site.ts'

/** The project's folder. */
export const PROJECT_ROOT = join(import.meta.dirname, '../..')
const START_TIMEOUT_MS = 90_000

/** The server in a child process with its own data folder, for tests that kill, signal or restart it. */
export interface SiteProcess extends Site {
  readonly pid: number
  /** Output over all starts. */
  output(): string
  /** Ends it with SIGKILL. */
  kill9(): Promise<void>
  /** Ends it with the signal, and returns its exit code. */
  signal(name: NodeJS.Signals): Promise<number | null>
  /** Starts it again on the same port and data. */
  restart(): Promise<void>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

export interface SiteProcessOptions {
  env?: Record<string, string>
  /** The folder of the code; the project by default. */
  folder?: string
}

const runningProcesses = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of runningProcesses) child.kill('SIGKILL')
})
// The test runner ends its workers with it, and a signal alone emits no 'exit'.
process.once('SIGTERM', () => process.exit(143))

/** The disk of the machine that runs the tests may be nearly full. */
const ANY_DISK = { MEYDAN_DISK_UPLOADS_PERCENT: '100', MEYDAN_DISK_GUESTS_PERCENT: '100' }

/** Starts the site on a free port and waits until it prints its address. Throws with its output when it does not. */
export async function startSite({ env = {}, folder = PROJECT_ROOT }: SiteProcessOptions = {}): Promise<SiteProcess> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'meydan-'))
  let printed = ''
  const start = (port: string) =>
    spawnSite(folder, { PORT: port, HOST: '127.0.0.1', MEYDAN_DATA: dataFolder, ...ANY_DISK, ...env }, (text) => {
      printed += text
    })
  const remove = () => rmSync(dataFolder, { recursive: true, force: true })
  let running = await start('0').catch((error) => {
    remove()
    throw error
  })
  const { origin } = running

  return {
    origin,
    dataFolder,
    get pid() {
      return running.child.pid ?? -1
    },
    createRootAdmin: (username) => createRootAdmin(dataFolder, username),
    changeDatabase: (change) => {
      if (running.child.exitCode === null && running.child.signalCode === null)
        throw new Error('the site runs: end it before its database is changed')
      const db = new Sqlite(join(dataFolder, 'meydan.db'))
      try {
        return db.transaction(() => change(db))()
      } finally {
        db.close()
      }
    },
    output: () => printed,
    kill9: async () => void (await endProcess(running.child, 'SIGKILL')),
    signal: (name) => endProcess(running.child, name),
    restart: async () => {
      await endProcess(running.child, 'SIGKILL')
      running = await start(new URL(origin).port)
    },
    stop: async () => {
      await endProcess(running.child, 'SIGKILL')
      remove()
    },
  }
}

/** What `npm run admin -- ...` prints, on the data of a site that runs or is stopped. Rejects when it fails. */
export async function runAdminCommand(site: Pick<SiteProcess, 'dataFolder'>, ...args: string[]): Promise<string> {
  const env = { ...cleanEnvironment(), MEYDAN_DATA: site.dataFolder }
  const { stdout } = await promisify(execFile)(process.execPath, ['src/server/admin.ts', ...args], {
    cwd: PROJECT_ROOT,
    env,
  })
  return stdout
}

/** Runs the admin command in this process, because a child process takes most of a second of CPU. */
async function createRootAdmin(dataFolder: string, username: string): Promise<string> {
  const printed = await runAdmin([username], readConfig({ MEYDAN_DATA: dataFolder }))
  const password = /password: (\S+)/.exec(printed)?.[1]
  if (!password) throw new Error(`no password was printed: ${printed}`)
  return password
}

async function spawnSite(cwd: string, env: Record<string, string>, onOutput: (text: string) => void) {
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    cwd,
    env: { ...cleanEnvironment(), ...COMPILE_CACHE_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  runningProcesses.add(child)
  child.once('exit', () => runningProcesses.delete(child))
  return { child, origin: await waitForAddress(child, onOutput) }
}

/** This process's environment without what a test runner or a developer's shell set for other purposes. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(?:MEYDAN_|VITEST|NODE_ENV$|NODE_OPTIONS$|PORT$|HOST$|TEST$|DEV$|PROD$|MODE$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}

function waitForAddress(child: ChildProcess, onOutput: (text: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (why: string) => {
      clearTimeout(deadline)
      child.kill('SIGKILL')
      reject(new Error(`the site ${why}:\n${output}`))
    }
    const deadline = setTimeout(() => fail(`printed no address within ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS)
    const listen = (chunk: Buffer) => {
      output += chunk
      onOutput(String(chunk))
      const address = /https?:\/\/[\w.[\]:]+:\d+/.exec(output)
      if (!address) return
      clearTimeout(deadline)
      resolve(address[0])
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', (code, signal) => fail(`ended with ${signal ?? code} before it printed an address`))
  })
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
  return child.exitCode
}
