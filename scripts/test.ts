import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatCounts, readResults, sumCounts } from './test-results.ts'

/** `npm test`: types, style, and every test; the arguments go to vitest. Ends with the tests that failed, did not end or were retried, and one line of counts. */

const root = join(import.meta.dirname, '..')
const tools = {
  tsc: 'typescript/bin/tsc',
  biome: '@biomejs/biome/bin/biome',
  vitest: 'vitest/vitest.mjs',
}
/** Time limit of a run that hangs. CI allows 90 minutes in all. */
const MAX_RUN_MS = 84 * 60_000

const folder = mkdtempSync(join(tmpdir(), 'meydan-test-'))
const results = join(folder, 'results.txt')
process.env.TEST_RESULTS = results // vitest.config.ts writes there
try {
  const [types, style] = await Promise.all([runCheck('types', 'tsc', []), runCheck('style', 'biome', ['check'])])
  const isSuccess = await runTool('vitest', ['run', ...process.argv.slice(2)])
  const tests = readResults(results, isSuccess)
  const counts = sumCounts([types, style, tests.counts])
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0
  console.log(['', ...tests.notes, formatCounts(counts)].join('\n'))
} finally {
  rmSync(folder, { recursive: true, force: true })
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
