import { appendFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import type { ResultLine, ResultState } from './test-results.ts'

const MAX_REASON_CHARACTERS = 400

/** Appends each start and result of a test to a file as it happens, so that a run that is ended early has them too. */
export class ResultReporter implements Reporter {
  private readonly file: string

  constructor(file: string) {
    this.file = file
  }

  onTestCaseReady(test: TestCase): void {
    if (!isOfOtherTier(test)) this.append('started', nameOf(test))
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state === 'pending' || isOfOtherTier(test)) return
    this.append(test.diagnostic()?.flaky ? 'retried' : state, nameOf(test), errors)
  }

  onTestSuiteResult(suite: TestSuite): void {
    if (suite.errors().length > 0)
      this.append('failed', `${suite.module.relativeModuleId} > ${suite.fullName}`, suite.errors())
  }

  onTestModuleEnd(module: TestModule): void {
    if (module.errors().length > 0) this.append('failed', module.relativeModuleId, module.errors())
  }

  private append(state: ResultState, name: string, errors: readonly { message: string }[] = []): void {
    const reason = errors[0]?.message.replaceAll(/\s+/g, ' ').slice(0, MAX_REASON_CHARACTERS)
    const line: ResultLine = { state, name, reason }
    appendFileSync(this.file, `${JSON.stringify(line)}\n`)
  }
}

/** Tests of the other tier (`--tags-filter`) are loaded and not run: they do not count as skipped. */
function isOfOtherTier({ tags, project }: TestCase): boolean {
  const [filter] = project.config.tagsFilter ?? []
  return filter !== undefined && tags.includes('deep') !== (filter === 'deep')
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`
