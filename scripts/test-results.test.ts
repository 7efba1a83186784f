import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { formatCounts, type ResultLine, readResults, sumCounts } from './test-results.ts'

const folder = mkdtempSync(join(tmpdir(), 'meydan-results-'))
afterAll(() => rmSync(folder, { recursive: true }))

function read(lines: ResultLine[], isSuccess: boolean) {
  const file = join(folder, 'results.txt')
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { counts, notes } = readResults(file, isSuccess)
  return [...notes, formatCounts(counts)]
}

const passed = [{ state: 'started', name: 'a > one' } as const, { state: 'passed', name: 'a > one' } as const]

describe('the results of a test run', () => {
  it('count what passed and what was skipped', () => {
    expect(read([...passed, { state: 'skipped', name: 'a > two' }], true)).toEqual([
      '0 retried',
      '1 passed, 0 failed, 1 skipped',
    ])
  })

  it('name and count what failed, and what passed only at the second try', () => {
    const failed = { state: 'failed', name: 'b.test.ts', reason: 'no such file' } as const
    const retried = { state: 'retried', name: 'a > two', reason: 'too late' } as const
    expect(read([...passed, failed, retried], false)).toEqual([
      'failed: b.test.ts: no such file',
      'passed at the second try: a > two: too late',
      '1 retried',
      '2 passed, 1 failed, 0 skipped',
    ])
  })

  it('name and count what did not end', () => {
    expect(read([...passed, { state: 'started', name: 'a > two' }], false)).toEqual([
      'did not end: a > two',
      '0 retried',
      '1 passed, 1 failed, 0 skipped',
    ])
  })

  it('count an uncaught error, or a file that was never written, as a failure', () => {
    expect(read(passed, false).at(-1)).toBe('1 passed, 1 failed, 0 skipped')
    expect(readResults(join(folder, 'never-written.txt'), true).counts.failed).toBe(1)
  })

  it('are summed by field', () => {
    const one = { passed: 1, failed: 0, skipped: 0 }
    expect(
      formatCounts(sumCounts([one, { passed: 0, failed: 1, skipped: 0 }, { passed: 7, failed: 0, skipped: 2 }])),
    ).toBe('8 passed, 1 failed, 2 skipped')
  })
})
