import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { findProcessesByEnv } from '../../scripts/regions/processes.ts'

/** Whether a connection on loopback was opened by a process that was started with this environment variable. */
export function isConnectionOwner(name: string, value: string, callerPort: number, calledPort: number): boolean {
  const inode = findSocketInode(callerPort, calledPort)
  return inode !== null && findProcessesByEnv(name, value).some(({ pid }) => hasOpenSocket(pid, inode))
}

/** proc(5), /proc/net/tcp: `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode`, in hex. */
function findSocketInode(localPort: number, remotePort: number): string | null {
  const ends = [localPort, remotePort].map((port) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`)
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const row = rows
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, remote]) => local?.endsWith(ends[0] ?? '') && remote?.endsWith(ends[1] ?? ''))
  return row?.[9] ?? null
}

function hasOpenSocket(pid: number, inode: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readLink(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`)
  } catch {
    return false // the process has ended
  }
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null // the descriptor was closed
  }
}
