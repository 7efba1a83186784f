import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessInfo {
  pid: number
  parent: number
}

/** Running processes of this user whose environment has this setting, inherited or not. */
export function findProcessesByEnv(name: string, valueStart: string): ProcessInfo[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      const setting = readProcFile(`/proc/${entry}/environ`)
        .split('\0')
        .some((line) => line.startsWith(`${name}=${valueStart}`))
      const stat = setting ? readStat(Number(entry)) : null
      return stat ? [{ pid: Number(entry), parent: stat.parent }] : []
    })
}

/** Start time of a process in ticks since boot, unique together with its id; null when it has ended. */
export function processStartTime(pid: number): string | null {
  return readStat(pid)?.startedAt ?? null
}

/** The id of the process that started it; null when it has ended. */
export function parentProcess(pid: number): number | null {
  return readStat(pid)?.parent ?? null
}

/** proc(5), /proc/pid/stat: the second field, in brackets, may hold anything. A zombie has ended. */
function readStat(pid: number): { parent: number; startedAt: string } | null {
  const [state = '', parent = '', ...rest] = readProcFile(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return state && state !== 'Z' ? { parent: Number(parent), startedAt: rest[17] ?? '' } : null
}

/** Empty when the process has ended or belongs to another user. */
function readProcFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}
