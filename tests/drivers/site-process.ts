import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runAdmin } from '../../src/server/admin.ts'
import { readSettings } from '../../src/server/settings.ts'
import { COMPILE_CACHE_ENV } from './compile-cache.ts'

/** The project's folder. */
export const PROJECT_ROOT = join(import.meta.dirname, '../..')
const START_TIMEOUT_MS = 90_000

/** The real server in a process of its own, on a data folder of its own. */
export interface SiteProcess {
  readonly origin: string
  readonly dataFolder: string
  readonly pid: number
  /** Everything that it printed so far, in all its lives. */
  output(): string
  /** Ends it as a power cut would. */
  kill9(): Promise<void>
  /** Ends it with the signal, and answers its exit code. */
  signal(name: NodeJS.Signals): Promise<number | null>
  /** Starts it again on the same port and data. */
  restart(): Promise<void>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

export interface SiteProcessOptions {
  env?: Record<string, string>
  /** Where the code lies, if not here. */
  folder?: string
}

const runningProcesses = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of runningProcesses) child.kill('SIGKILL')
})

/** Starts the site on a free port and waits until it says where it is. Throws with its output when it does not. */
export async function startSite({ env = {}, folder = PROJECT_ROOT }: SiteProcessOptions = {}): Promise<SiteProcess> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'meydan-'))
  let printed = ''
  const start = (port: string) =>
    spawnSite(folder, { PORT: port, HOST: '127.0.0.1', MEYDAN_DATA: dataFolder, ...env }, (text) => {
      printed += text
    })
  const remove = () => rmSync(dataFolder, { recursive: true, force: true })
  let life = await start('0').catch((error) => {
    remove()
    throw error
  })
  const { origin } = life

  return {
    origin,
    dataFolder,
    get pid() {
      return life.child.pid ?? -1
    },
    output: () => printed,
    kill9: async () => void (await endProcess(life.child, 'SIGKILL')),
    signal: (name) => endProcess(life.child, name),
    restart: async () => {
      await endProcess(life.child, 'SIGKILL')
      life = await start(new URL(origin).port)
    },
    stop: async () => {
      await endProcess(life.child, 'SIGKILL')
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

/**
 * Makes a root admin, who has none of the room's waits; answers the password. What the command does is done in this
 * process: a new one for each of a hundred accounts takes most of a second of a core.
 */
export async function createSiteRootAdmin(site: SiteProcess, username: string): Promise<string> {
  const printed = await runAdmin([username], readSettings({ MEYDAN_DATA: site.dataFolder }))
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
