import { existsSync, readFileSync } from 'node:fs'

export type ResultState = 'started' | 'passed' | 'retried' | 'failed' | 'skipped'

/** A line of the file that `result-reporter.ts` writes. */
export interface ResultLine {
  state: ResultState
  /** File, suites and title. */
  name: string
  /** The first error. */
  reason?: string | undefined
}

export interface TestCounts {
  passed: number
  failed: number
  skipped: number
}

export interface TestResults {
  counts: TestCounts
  /** A line for each test that failed, did not end, or passed only at its second try. */
  notes: string[]
}

/**
 * The results of a vitest run. A file or suite that could not be set up and a test that did not end count as failures, and
 * so does a run that fails without any: an uncaught error, no test files, a missing file.
 */
export function readResults(file: string, isSuccess: boolean): TestResults {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line): ResultLine => JSON.parse(line))
  const of = (state: ResultState) => lines.filter((line) => line.state === state)
  const ended = new Set(lines.filter(({ state }) => state !== 'started').map(({ name }) => name))
  const unended = of('started').filter(({ name }) => !ended.has(name))
  const failed = of('failed').length + unended.length
  const retried = of('retried')
  const isBroken = failed === 0 && (!isSuccess || lines.length === 0)
  return {
    counts: {
      passed: of('passed').length + retried.length,
      failed: isBroken ? 1 : failed,
      skipped: of('skipped').length,
    },
    notes: [
      ...of('failed').map(({ name, reason }) => `failed: ${name}: ${reason}`),
      ...unended.map(({ name }) => `did not end: ${name}`),
      ...retried.map(({ name, reason }) => `passed at the second try: ${name}: ${reason}`),
      `${retried.length} retried`,
    ],
  }
}

export function sumCounts(all: TestCounts[]): TestCounts {
  const total = (key: keyof TestCounts) => all.reduce((sofar, counts) => sofar + counts[key], 0)
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') }
}

/** The last line of `npm test`. */
export function formatCounts({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
