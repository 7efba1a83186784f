import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePorts } from '../../scripts/regions/free-ports.ts'
import { pollUntil } from '../../scripts/regions/poll-until.ts'

/** One Consul server on loopback, which keeps what it knows from one life to the next. */
export interface ConsulProcess {
  /** Known once it was started. */
  readonly port: number
  /** Resolves when it has a leader: itself. Rejects with its output when it ends before. */
  start(): Promise<void>
  kill9(): Promise<void>
}

const LEADER_TIMEOUT_MS = 60_000
/** Somebody else may take a port between the moment that it was found free and ours. */
const MAX_PORT_TRIES = 3

/** A server that is not started yet; everything of it lies in the folder. */
export function createConsulProcess(executable: string, folder: string): ConsulProcess {
  let ports: number[] = []
  let child: ChildProcess | null = null
  mkdirSync(folder, { recursive: true })
  const log = join(folder, 'output.log')

  const launch = async () => {
    const output = openSync(log, 'a')
    const started = spawn(executable, ['agent', ...consulArguments(folder, ports)], {
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    child = started
    const [http = 0] = ports
    await pollUntil('Consul has a leader', async () => hasEnded(started) || (await hasLeader(http)), LEADER_TIMEOUT_MS)
    return !hasEnded(started)
  }
  return {
    get port() {
      return ports[0] ?? 0
    },
    start: async () => {
      // Once others know its port, it is always the same.
      const isFirst = ports.length === 0
      for (let tries = 0; tries < (isFirst ? MAX_PORT_TRIES : 1); tries++) {
        if (isFirst) ports = await findFreePorts(3)
        if (await launch()) return
      }
      throw new Error(`Consul has ended:\n${readFileSync(log, 'utf8')}`)
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
    // As fast as it may elect itself, and no question to its makers.
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
