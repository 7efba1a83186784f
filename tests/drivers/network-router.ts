import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, constants, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ToolLookup } from '../../scripts/regions/find-tool.ts'
import { type CapturedPacket, readCapture } from './packet-capture.ts'

const sourceFolder = join(import.meta.dirname, 'network-router')
const executable = join(import.meta.dirname, '../../.cache/tools/network-router')

/** What happens to the packets between a client and the network, in both directions. */
export interface LinkCondition {
  /** The part of packets that are dropped, from 0 to 1. */
  loss?: number
  /** How long each packet takes to cross the link. */
  delayMs?: number
  /** Which packets are dropped; 'all' is a network that is gone. */
  blocked?: ('udp' | 'ipv6' | 'all')[]
}

/** One of the computers of a test, in a network namespace of its own. Its IPv4 is behind a translation of addresses. */
export interface NetworkClient {
  /** All addresses of its own, and the one that others see instead of its IPv4 address. */
  readonly addresses: readonly string[]
  setCondition(condition: LinkCondition): Promise<void>
  /** Its translation of addresses forgets all connections: what goes on comes from other ports. */
  rebindNat(): Promise<void>
  /** The path of an executable that starts a program of this machine in the client's namespace. */
  wrapProgram(program: string): string
}

export interface Network {
  /** Where a server of this machine listens to be reached by the clients. */
  readonly siteAddresses: { readonly ipv4: string; readonly ipv6: string }
  readonly clients: readonly [NetworkClient, NetworkClient]
  /** Lets the clients reach a port of this machine's loopback, over TCP, at the same port of the site's IPv4 address. */
  sharePort(port: number): Promise<void>
  /** Records all packets while `action` runs: as the site sends and receives them, and as each client does. */
  capturePackets(action: () => Promise<void>): Promise<{ site: CapturedPacket[]; clients: CapturedPacket[][] }>
  close(): Promise<void>
}

/** Builds the router of `network-router/`, or says why there can be none. The first build takes half a minute. */
export function ensureNetworkRouter(): ToolLookup {
  if (process.getuid?.() !== 0) return { missing: 'network namespaces need root' }
  if (!isWritable('/dev/net/tun')) return { missing: 'there is no /dev/net/tun' }
  if (!existsSync('/proc/net/if_inet6')) return { missing: 'this machine has no IPv6' }
  for (const [program, argument] of [
    ['nsenter', '--version'],
    ['go', 'version'],
  ] as const)
    if (spawnSync(program, [argument]).error) return { missing: `there is no ${program}` }
  try {
    const env = { ...process.env, CGO_ENABLED: '0' }
    execFileSync('go', ['build', '-trimpath', '-o', executable, '.'], { cwd: sourceFolder, env, stdio: 'pipe' })
  } catch (error) {
    return { missing: `the network router was not built: ${error instanceof Error ? error.message : error}` }
  }
  return { path: executable }
}

/**
 * Starts a router between this machine and two clients. Namespaces, devices and all that runs in them end with the
 * router, and the router ends with this process.
 */
export async function openNetwork(routerPath: string): Promise<Network> {
  const folder = mkdtempSync(join(tmpdir(), 'meydan-network-'))
  const router = startRouter(routerPath)
  const subnet = process.pid % 256
  // 198.18.0.0/15 is for tests of networks (RFC 2544, section C.2.2); fd00::/8 is local (RFC 4193).
  const siteAddresses = { ipv4: `198.18.${subnet}.1`, ipv6: `fd4d:6579:${subnet.toString(16)}::1` }
  const plans = [10, 11].map((host) => ({
    addresses: [`192.168.${host}.2/24`, `${siteAddresses.ipv6.slice(0, -1)}${host}/128`],
    natAddress: `198.18.${subnet}.${host}`,
  }))
  const { namespaces = [] } = await router.ask({
    device: `meydan${process.pid}`,
    addresses: [`${siteAddresses.ipv4}/24`, `${siteAddresses.ipv6}/64`],
    clients: plans,
  })

  const servers: Server[] = []
  const createClient = (client: 0 | 1): NetworkClient => ({
    addresses: [
      ...(plans[client]?.addresses ?? []).map((prefix) => prefix.replace(/\/.*/, '')),
      plans[client]?.natAddress ?? '',
    ],
    setCondition: async ({ loss = 0, delayMs = 0, blocked = [] }) =>
      void (await router.ask({ client, condition: { loss, delayMs, blocked } })),
    rebindNat: async () => void (await router.ask({ client, rebinds: true })),
    wrapProgram: (program) => {
      const script = join(folder, `client-${client}-${program.replaceAll('/', '-')}`)
      writeFileSync(script, `#!/bin/sh\nexec nsenter --net=${namespaces[client]} ${program} "$@"\n`)
      chmodSync(script, 0o755)
      return script
    },
  })
  const captureFiles = {
    site: join(folder, 'site.pcap'),
    clients: [0, 1].map((client) => join(folder, `${client}.pcap`)),
  }
  return {
    siteAddresses,
    clients: [createClient(0), createClient(1)],
    capturePackets: async (action) => {
      await router.ask({ capture: captureFiles })
      try {
        await action()
      } finally {
        await router.ask({ capture: {} })
      }
      return { site: readCapture(captureFiles.site), clients: captureFiles.clients.map(readCapture) }
    },
    sharePort: async (port) => {
      servers.push(await forwardPort(port, siteAddresses.ipv4))
    },
    close: async () => {
      for (const server of servers) server.close()
      await router.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface RouterAnswer {
  namespaces?: string[]
  error?: string
}

/** The process; it answers each line with one. */
function startRouter(path: string) {
  const child = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: ((answer: RouterAnswer) => void)[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => waiting.shift()?.(JSON.parse(line) as RouterAnswer)) // as main.go writes it
  child.once('exit', () => {
    for (const answer of waiting.splice(0)) answer({ error: 'it has ended' })
  })
  return {
    ask: async (command: object): Promise<RouterAnswer> => {
      const answer = await new Promise<RouterAnswer>((resolve) => {
        waiting.push(resolve)
        child.stdin.write(`${JSON.stringify(command)}\n`)
      })
      if (answer.error) throw new Error(`the network router: ${answer.error}`)
      return answer
    },
    close: async () => {
      if (child.exitCode !== null) return
      const exited = once(child, 'exit')
      child.stdin.end()
      await exited
    },
  }
}

async function forwardPort(port: number, host: string): Promise<Server> {
  const server = createServer((caller) => {
    const called = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [caller, called],
      [called, caller],
    ] as const) {
      from.pipe(to)
      from.once('error', () => to.destroy())
    }
  })
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return true
  } catch {
    return false
  }
}
