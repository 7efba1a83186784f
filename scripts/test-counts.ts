import { existsSync, readFileSync } from 'node:fs'

export interface TestCounts {
  passed: number
  failed: number
  skipped: number
}

/** The parts of vitest's JSON report that are counted. */
interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

/**
 * Counts of a vitest run from its JSON report. A file that could not be loaded counts as one failure, and so does
 * a run that fails without a failed test: an uncaught error, no test files, a missing report.
 */
export function readCounts(file: string, isSuccess: boolean): TestCounts {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 }
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport // written by vitest a moment ago
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = report.numFailedTests + broken.length
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !isSuccess ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

export function sumCounts(all: TestCounts[]): TestCounts {
  const total = (key: keyof TestCounts) => all.reduce((sofar, counts) => sofar + counts[key], 0)
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') }
}

/** The names of tests that `retry-reporter.ts` wrote, one a line; empty when it wrote none. */
export function readRetriedTests(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

/** The tests that passed only at their second try, a line each, and their number. */
export function formatRetried(names: string[]): string {
  return [...names.map((name) => `passed at the second try: ${name}`), `${names.length} retried`].join('\n')
}

/** The last line of `npm test`. */
export function formatCounts({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
