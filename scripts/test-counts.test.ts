import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { formatCounts, formatRetried, readCounts, readRetriedTests, sumCounts } from './test-counts.ts'

const folder = mkdtempSync(join(tmpdir(), 'meydan-counts-'))
afterAll(() => rmSync(folder, { recursive: true }))

const cleanReport = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] }

function formatReport(report: object, isSuccess: boolean) {
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(report))
  return formatCounts(readCounts(file, isSuccess))
}

describe('the counts of a test run', () => {
  it('are read from the report', () => {
    expect(formatReport(cleanReport, true)).toBe('5 passed, 0 failed, 2 skipped')
    expect(formatReport({ ...cleanReport, numFailedTests: 3 }, false)).toBe('5 passed, 3 failed, 2 skipped')
  })

  it('count a file that could not be loaded as a failure', () => {
    const testResults = [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }] },
    ]
    expect(formatReport({ ...cleanReport, numFailedTests: 1, testResults }, false)).toBe(
      '5 passed, 2 failed, 2 skipped',
    )
  })

  it('include an uncaught error or a missing report as a failure', () => {
    expect(formatReport(cleanReport, false)).toBe('5 passed, 1 failed, 2 skipped')
    expect(readCounts(join(folder, 'never-written.json'), true).failed).toBe(1)
  })

  it('are summed by field', () => {
    const one = { passed: 1, failed: 0, skipped: 0 }
    expect(
      formatCounts(sumCounts([one, { passed: 0, failed: 1, skipped: 0 }, { passed: 7, failed: 0, skipped: 2 }])),
    ).toBe('8 passed, 1 failed, 2 skipped')
  })

  it('name and count the tests that passed only at the second try', () => {
    const file = join(folder, 'retried.txt')
    expect(formatRetried(readRetriedTests(file))).toBe('0 retried')
    writeFileSync(file, 'a.test.ts > one\na.test.ts > two\n')
    expect(formatRetried(readRetriedTests(file))).toBe(
      ['passed at the second try: a.test.ts > one', 'passed at the second try: a.test.ts > two', '2 retried'].join(
        '\n',
      ),
    )
  })
})
