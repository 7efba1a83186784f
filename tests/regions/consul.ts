import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '../../scripts/regions/free-ports.ts'
import { until } from '../../scripts/regions/until.ts'

/** One Consul server on loopback, which keeps what it knows from one life to the next. */
export interface Consul {
  readonly port: number
  /** Resolves when it has a leader: itself. */
  start(): Promise<void>
  kill9(): Promise<void>
}

/** A server that is not started yet; everything of it lies in the folder. */
export async function createConsul(executable: string, folder: string): Promise<Consul> {
  const [http = 0, server = 0, serf = 0] = await freePorts(3)
  let child: ChildProcess | null = null
  mkdirSync(folder, { recursive: true })
  return {
    port: http,
    start: async () => {
      const log = openSync(join(folder, 'output.log'), 'a')
      child = spawn(executable, ['agent', ...settings(folder, http, server, serf)], { stdio: ['ignore', log, log] })
      closeSync(log)
      await until('Consul has a leader', () => hasLeader(http))
    },
    kill9: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

function settings(folder: string, http: number, server: number, serf: number): string[] {
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
