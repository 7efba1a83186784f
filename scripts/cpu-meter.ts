import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const SAMPLE_INTERVAL_MS = 1_000
/** Prefix of the process titles by which `vitest.config.ts` names the kind of each worker. */
export const KIND_TITLE = 'meydan-tests-'

/**
 * CPU seconds that `CALIBRATION` takes, once on each of two cores, on the machine that decision 0075 measured: 1.0 where the
 * start of a site takes 3.8 s (medians of four, in turns), which takes 2.1 s there.
 */
const REFERENCE_SECONDS = 0.56
/** How long `calibrate` takes there, with the start of its two processes, while nothing else runs. */
export const REFERENCE_MS = 650
/** Fixed work of the kind that the tests do: small objects, strings and hashes. Prints its CPU seconds. */
const CALIBRATION = `
  const { createHash } = require('node:crypto')
  let digest = ''
  for (let round = 0; round < 60_000; round++) {
    const rows = Array.from({ length: 8 }, (_, id) => ({ id, text: digest + id, at: round }))
    digest = createHash('sha256').update(JSON.stringify(JSON.parse(JSON.stringify(rows)))).digest('hex')
  }
  console.log(process.cpuUsage().user / 1e6)`

/** How many times longer work takes on this machine than on that of decision 0075. Takes about a second. */
export async function calibrate(): Promise<number> {
  const run = async () => Number((await promisify(execFile)(process.execPath, ['-e', CALIBRATION])).stdout)
  const [one, other] = await Promise.all([run(), run()])
  return (one + other) / 2 / REFERENCE_SECONDS
}

interface ProcessStat {
  parent: number
  /** Its own CPU seconds. */
  seconds: number
  /** Tells processes of one id apart. */
  startedAt: string
}

/**
 * Adds up the CPU time of this process's descendants by kind of test. On Linux: reads `/proc` each second, so what a process
 * used after its last sample is missing. Sums of ended children are not used: a browser that is ended takes its own along.
 */
export class CpuMeter {
  private readonly ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  private readonly processes = new Map<string, { kind: string; seconds: number }>()
  private readonly timer = setInterval(() => this.sample(), SAMPLE_INTERVAL_MS)

  /** CPU seconds by kind, most first; 'other' are the runner, types and style. */
  stop(): Map<string, number> {
    clearInterval(this.timer)
    this.sample()
    const kinds = new Map<string, number>()
    for (const { kind, seconds } of this.processes.values()) kinds.set(kind, (kinds.get(kind) ?? 0) + seconds)
    return new Map([...kinds].toSorted(([, a], [, b]) => b - a))
  }

  private sample(): void {
    const all = new Map<number, ProcessStat>()
    for (const name of readdirSync('/proc')) {
      const stat = /^\d+$/.test(name) ? this.readStat(Number(name)) : null
      if (stat) all.set(Number(name), stat)
    }
    const children = Map.groupBy(all.keys(), (pid) => all.get(pid)?.parent)
    const record = (pid: number, kindOfParent: string): void => {
      const stat = all.get(pid)
      if (!stat) return
      const key = `${pid} ${stat.startedAt}`
      // A process that is ending has no command line any more.
      const own = () => this.processes.get(key)?.kind ?? readKind(pid)
      const kind = kindOfParent === 'other' ? own() : kindOfParent
      this.processes.set(key, { kind, seconds: stat.seconds })
      for (const child of children.get(pid) ?? []) record(child, kind)
    }
    record(process.pid, 'other')
  }

  private readStat(pid: number): ProcessStat | null {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name in parentheses may contain spaces.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      const ticks = Number(fields[11]) + Number(fields[12])
      return { parent: Number(fields[1]), seconds: ticks / this.ticksPerSecond, startedAt: fields[19] ?? '' }
    } catch {
      return null // it has ended
    }
  }
}

/** The kind of test that a worker runs, by its title; 'other' for other processes. */
function readKind(pid: number): string {
  try {
    const [title = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return title.startsWith(KIND_TITLE) ? title.slice(KIND_TITLE.length).trim() : 'other'
  } catch {
    return 'other' // it has ended
  }
}
