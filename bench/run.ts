import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type Report, toTable } from './measure/report.ts'

/** All measurements; each is a file of the same name. */
const measurements = [
  'fan-out',
  'fan-out-busy',
  'idle',
  'joins',
  'send',
  'send-litefs',
  'ledger',
  'direct-messages',
  'profile',
  'profile-posts',
  'notifications',
  'posts-live',
  'replica',
  'search',
  'upload',
  'growth',
  'page',
  'people',
  'full-room',
  'weight',
  'vitals',
  'incoming',
  'relay',
  'relay-calls',
  'call-start',
  'first-start',
  'soak',
]
/** A measurement that takes longer is ended, so that the others are measured. */
const MAX_MINUTES = Number(process.env.BENCH_MINUTES ?? 8)
/** `soak` lasts SOAK_MINUTES, and the time in which its people connect, twice. */
const MAX_SOAK_MINUTES = Number(process.env.SOAK_MINUTES ?? 20) + MAX_MINUTES
const STOP_TIMEOUT_MS = 15_000
/** More than this in use by other work makes a note. */
const MAX_BUSY_CORES = 0.3
const RESULTS = new URL('./results/latest.json', import.meta.url)

type SavedReports = Record<string, Report & { at: string; commit: string; machine: string }>

/** `npm run bench` runs all but the soak, `npm run bench -- fan-out idle` only those. Reports and never fails. */
async function main(requestedIds: string[]): Promise<void> {
  const unknown = requestedIds.filter((id) => !measurements.includes(id))
  if (unknown.length)
    console.error(`No such measurement: ${unknown.join(', ')}. There are: ${measurements.join(', ')}.`)
  const chosen = requestedIds.length
    ? measurements.filter((id) => requestedIds.includes(id))
    : measurements.filter((id) => id !== 'soak')
  const reports = new Map<string, Report>()
  const beganAt = performance.now()
  for (const id of chosen) {
    console.error(`${id} ...`)
    const startedAt = performance.now()
    const report = await run(id)
    console.error(`${id} took ${Math.round((performance.now() - startedAt) / 1000)} s`)
    reports.set(id, report)
    if (report.figures.length) await save(id, report)
  }
  console.error(`All took ${((performance.now() - beganAt) / 60_000).toFixed(1)} minutes`)
  console.log(toTable(reports))
  for (const [id, { notes }] of reports) {
    for (const note of notes) console.log(`${id}: ${note}`)
  }
}

async function run(id: string): Promise<Report> {
  const busyCores = await measureBusyCores()
  const report = await runInProcess(id)
  return busyCores < MAX_BUSY_CORES ? report : { ...report, notes: [...report.notes, busyMachineNote(busyCores)] }
}

/** A measurement has a process group of its own: nothing that it starts outlives it, and nothing that fails ends the run. */
async function runInProcess(id: string): Promise<Report> {
  const child = fork(new URL('./measure/run-measurement.ts', import.meta.url), [id], { detached: true })
  const interrupt = () => {
    signalGroup(child, 'SIGKILL')
    process.exit(130)
  }
  process.once('SIGINT', interrupt)
  let report: Report = { figures: [], notes: ['could not be measured: its process ended without a report'] }
  child.on('message', (message) => {
    report = message as Report // run-measurement.ts sends nothing else
  })
  const maxMinutes = id === 'soak' ? MAX_SOAK_MINUTES : MAX_MINUTES
  const timer = setTimeout(() => {
    report = { figures: [], notes: [`could not be measured within ${maxMinutes} minutes`] }
    signalGroup(child, 'SIGTERM')
    setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS).unref()
  }, maxMinutes * 60_000)
  await once(child, 'exit')
  clearTimeout(timer)
  signalGroup(child, 'SIGKILL')
  process.off('SIGINT', interrupt)
  return report
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // Nothing of the group runs any more.
  }
}

/** Cores in use during one second. The load average would still count the measurement before. */
async function measureBusyCores(): Promise<number> {
  const before = sumCpuTimes()
  await pause(1000)
  const after = sumCpuTimes()
  return (cpus().length * (after.busyMs - before.busyMs)) / (after.allMs - before.allMs)
}

function sumCpuTimes(): { busyMs: number; allMs: number } {
  const times = cpus().map(({ times }) => times)
  const allMs = times.flatMap((time) => Object.values(time)).reduce((sum, ms) => sum + ms, 0)
  return { allMs, busyMs: allMs - times.reduce((sum, { idle }) => sum + idle, 0) }
}

/** Ratios per CPU second stay valid on a busy machine; latencies and figures per wall-clock second do not. */
function busyMachineNote(busyCores: number): string {
  return `Other work used ${busyCores.toFixed(1)} of ${cpus().length} cores before it began: latencies and figures per second are unreliable.`
}

/** Replaces the entry of one measurement; the others keep their date and commit. */
async function save(id: string, report: Report): Promise<void> {
  const saved: SavedReports = await readFile(RESULTS, 'utf8').then(JSON.parse, () => ({}))
  saved[id] = { at: new Date().toISOString(), commit: currentCommit(), machine: describeMachine(), ...report }
  await mkdir(new URL('.', RESULTS), { recursive: true })
  await writeFile(RESULTS, `${JSON.stringify(saved, null, 2)}\n`)
}

function currentCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}

function describeMachine(): string {
  return `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, ${process.platform}, Node ${process.version}`
}

await main(process.argv.slice(2))
