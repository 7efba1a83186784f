import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePorts } from '../../scripts/regions/free-ports.ts'
import { pollUntil } from '../../scripts/regions/poll-until.ts'

/** One Consul server on loopback; its data survives a restart. */
export interface ConsulProcess {
  /** 0 before the first start. */
  readonly port: number
  /** Resolves when it has elected itself leader. Rejects with its output when it exits before. */
  start(): Promise<void>
  kill9(): Promise<void>
}

const LEADER_TIMEOUT_MS = 60_000
/** Another process may bind a port between the search and the start. */
const MAX_PORT_TRIES = 3

/** Creates a server without starting it; its data and its log are in the folder. */
export function createConsulProcess(executable: string, folder: string): ConsulProcess {
  let ports: number[] = []
  let child: ChildProcess | null = null
  mkdirSync(folder, { recursive: true })
  const log = join(folder, 'output.log')

  const launch = async () => {
    const output = openSync(log, 'a')
    const spawned = spawn(executable, ['agent', ...consulArguments(folder, ports)], {
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    child = spawned
    const [http = 0] = ports
    await pollUntil('Consul has a leader', async () => hasEnded(spawned) || (await hasLeader(http)), LEADER_TIMEOUT_MS)
    return !hasEnded(spawned)
  }
  return {
    get port() {
      return ports[0] ?? 0
    },
    start: async () => {
      // Later starts reuse the ports, which other processes know by then.
      const isFirst = ports.length === 0
      for (let tries = 0; tries < (isFirst ? MAX_PORT_TRIES : 1); tries++) {
        if (isFirst) ports = await findFreePorts(3)
        if (await launch()) return
      }
      throw new Error(`Consul exited:\n${readFileSync(log, 'utf8')}`)
    },
    kill9: async () => {
      if (!child || hasEnded(child)) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function consulArguments(folder: string, [http, server, serf]: number[]): string[] {
  return [
    '-server',
    '-bootstrap-expect=1',
    `-data-dir=${join(folder, 'data')}`,
    '-node=meydan',
    '-bind=127.0.0.1',
    '-client=127.0.0.1',
    `-http-port=${http}`,
    `-server-port=${server}`,
    `-serf-lan-port=${serf}`,
    ...['dns', 'grpc', 'grpc-tls', 'serf-wan'].map((name) => `-${name}-port=-1`),
    // The fastest election, and no update check over the network.
    '-hcl=performance { raft_multiplier = 1 } disable_update_check = true',
  ]
}

async function hasLeader(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/status/leader`)
    return answer.ok && (await answer.json()) !== ''
  } catch {
    return false
  }
}
