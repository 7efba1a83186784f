import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'

const FIRST = 20_000
/** Linux's own choice, where it says nothing or leaves no room. */
const USUAL_END = 32_768
/** Where Linux keeps from which port on it gives ports to whoever connects. */
const range = '/proc/sys/net/ipv4/ip_local_port_range'

/**
 * Ports of loopback that nobody listened on a moment ago. None is among those that the kernel gives to whoever connects:
 * what is free while a region is down stays free, and nobody who looks for it there finds themselves.
 */
export async function freePorts(count: number): Promise<number[]> {
  const given = existsSync(range) ? Number.parseInt(readFileSync(range, 'utf8'), 10) : USUAL_END
  const end = given > FIRST + 2_000 ? given : USUAL_END
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(FIRST, end)
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
