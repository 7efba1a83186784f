import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { type Report, toTable } from './measure/report.ts'

/** All measurements; each is a file of the same name. */
const measurements = [
  'fan-out',
  'fan-out-busy',
  'idle',
  'joins',
  'send',
  'send-litefs',
  'replica',
  'search',
  'growth',
  'page',
  'people',
  'weight',
  'vitals',
  'incoming',
  'first-start',
]
const RESULTS = new URL('./results/latest.json', import.meta.url)

type SavedReports = Record<string, Report & { at: string; commit: string; machine: string }>

/** `npm run bench` runs all, `npm run bench -- fan-out idle` only those. Reports and never fails. */
async function main(requestedIds: string[]): Promise<void> {
  const unknown = requestedIds.filter((id) => !measurements.includes(id))
  if (unknown.length)
    console.error(`No such measurement: ${unknown.join(', ')}. There are: ${measurements.join(', ')}.`)
  const chosen = requestedIds.length ? measurements.filter((id) => requestedIds.includes(id)) : measurements
  const reports = new Map<string, Report>()
  for (const id of chosen) {
    console.error(`${id} ...`)
    const startedAt = performance.now()
    const report = await run(id)
    console.error(`${id} took ${Math.round((performance.now() - startedAt) / 1000)} s`)
    reports.set(id, report)
    if (report.figures.length) await save(id, report)
  }
  console.log(toTable(reports))
  for (const [id, { notes }] of reports) {
    for (const note of notes) console.log(`${id}: ${note}`)
  }
}

async function run(id: string): Promise<Report> {
  const loadBefore = loadavg()[0] ?? 0
  try {
    // Each measurement exports one `measure`.
    const { measure } = (await import(`./${id}.ts`)) as { measure: () => Promise<Report> }
    const report = await measure()
    return loadBefore < cpus().length / 2
      ? report
      : { ...report, notes: [...report.notes, busyMachineNote(loadBefore)] }
  } catch (error) {
    return { figures: [], notes: [`could not be measured: ${error instanceof Error ? error.message : error}`] }
  }
}

/** Ratios per CPU second stay valid on a busy machine; latencies and figures per wall-clock second do not. */
function busyMachineNote(load: number): string {
  return `The machine was busy with other work before it began (load ${load.toFixed(1)} on ${cpus().length} cores): latencies and figures per second are unreliable.`
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
