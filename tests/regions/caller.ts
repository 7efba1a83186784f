import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { processesWith } from '../../scripts/regions/processes.ts'

/** Whether a connection on loopback was opened by a process that was started with this setting. */
export function isCaller(name: string, value: string, callerPort: number, calledPort: number): boolean {
  const inode = socketOf(callerPort, calledPort)
  return inode !== null && processesWith(name, value).some(({ pid }) => holds(pid, inode))
}

/** proc(5), /proc/net/tcp: `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode`, in hex. */
function socketOf(localPort: number, remotePort: number): string | null {
  const ends = [localPort, remotePort].map((port) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`)
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const row = rows
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, remote]) => local?.endsWith(ends[0] ?? '') && remote?.endsWith(ends[1] ?? ''))
  return row?.[9] ?? null
}

function holds(pid: number, inode: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`)
  } catch {
    return false // it has ended meanwhile
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null // it was closed meanwhile
  }
}
