import { readFileSync } from 'node:fs'

/** proc(5), /proc/pid/stat: utime and stime are the 14th and 15th field, in ticks. */
const TICKS_PER_SECOND = 100

/** CPU and memory of any process, by /proc; for one that has no probe. */
export function readProcessStat(pid: number): { cpuSeconds: number; residentBytes: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number)
  return { cpuSeconds: (user + system) / TICKS_PER_SECOND, residentBytes: Number(fields[21]) * 4096 }
}
