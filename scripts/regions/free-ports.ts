import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'

const FIRST_PORT = 20_000
/** Start of the default ephemeral range of Linux, used without a usable setting. */
const DEFAULT_END_PORT = 32_768
/** The ephemeral port range of Linux. */
const PORT_RANGE_FILE = '/proc/sys/net/ipv4/ip_local_port_range'

/**
 * Free ports of loopback below the ephemeral range, so that
 * no outgoing connection takes the port of a region while it is down, or connects to itself.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const given = existsSync(PORT_RANGE_FILE)
    ? Number.parseInt(readFileSync(PORT_RANGE_FILE, 'utf8'), 10)
    : DEFAULT_END_PORT
  const end = given > FIRST_PORT + 2_000 ? given : DEFAULT_END_PORT
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(FIRST_PORT, end)
    if (!ports.has(port) && (await isFree(port))) ports.add(port)
  }
  return [...ports]
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}
