import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatCounts, formatRetried, readCounts, readRetriedTests, sumCounts } from './test-counts.ts'

/** `npm test`: types, style, and every test; the arguments go to vitest. Ends with the tests that were retried and one line of counts. */

const root = join(import.meta.dirname, '..')
const tools = {
  tsc: 'typescript/bin/tsc',
  biome: '@biomejs/biome/bin/biome',
  vitest: 'vitest/vitest.mjs',
}
/** Time limit of a run that hangs. */
const MAX_RUN_MS = 75 * 60_000

const reports = mkdtempSync(join(tmpdir(), 'meydan-test-'))
const report = join(reports, 'vitest.json')
process.env.TEST_REPORTS = reports // vitest.config.ts writes there
try {
  const [types, style] = await Promise.all([runCheck('types', 'tsc', []), runCheck('style', 'biome', ['check'])])
  const isSuccess = await runTool('vitest', ['run', ...process.argv.slice(2)])
  const counts = sumCounts([types, style, readCounts(report, isSuccess)])
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0
  console.log(`\n${formatRetried(readRetriedTests(join(reports, 'retried.txt')))}\n${formatCounts(counts)}`)
} finally {
  rmSync(reports, { recursive: true, force: true })
}

async function runCheck(title: string, tool: keyof typeof tools, args: string[]) {
  const isSuccess = await runTool(tool, args)
  console.log(`${isSuccess ? '✓' : '✗'} ${title}`)
  return { passed: isSuccess ? 1 : 0, failed: isSuccess ? 0 : 1, skipped: 0 }
}

/** Runs a tool under the current Node with inherited output. Returns whether it exits with 0. */
function runTool(tool: keyof typeof tools, args: string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const entry = join(root, 'node_modules', tools[tool])
    const child = spawn(process.execPath, [entry, ...args], { cwd: root, stdio: 'inherit', timeout: MAX_RUN_MS })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0))
  })
}
