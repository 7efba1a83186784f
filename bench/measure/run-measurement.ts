import type { Report } from './report.ts'

/** Runs one measurement in a process of its own, and sends its report to the parent process. */
const [id] = process.argv.slice(2)
const report = await measure().catch((error: unknown): Report => {
  return { figures: [], notes: [`could not be measured: ${error instanceof Error ? error.message : error}`] }
})
process.send?.(report, () => process.exit())

async function measure(): Promise<Report> {
  // Each measurement exports one `measure`.
  const measurement = (await import(`../${id}.ts`)) as { measure: () => Promise<Report> }
  return measurement.measure()
}
