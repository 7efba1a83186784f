import { appendFileSync } from 'node:fs'
import type { Reporter, TestCase } from 'vitest/node'

const MAX_REASON_CHARACTERS = 400

/** Appends the name of each test that passed only at its second try to a file, with what failed at the first. */
export class RetryReporter implements Reporter {
  private readonly file: string

  constructor(file: string) {
    this.file = file
  }

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return
    const reason = test.result().errors?.[0]?.message.replaceAll(/\s+/g, ' ').slice(0, MAX_REASON_CHARACTERS)
    appendFileSync(this.file, `${test.module.relativeModuleId} > ${test.fullName}: ${reason}\n`)
  }
}
