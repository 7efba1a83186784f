import { appendFileSync } from 'node:fs'
import type { Reporter, TestCase } from 'vitest/node'

/** Appends the name of each test that passed only at its second try to a file. */
export class RetryReporter implements Reporter {
  private readonly file: string

  constructor(file: string) {
    this.file = file
  }

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) appendFileSync(this.file, `${test.module.relativeModuleId} > ${test.fullName}\n`)
  }
}
