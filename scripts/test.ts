import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CpuMeter, calibrate } from './cpu-meter.ts'
import { formatCounts, readResults, sumCounts } from './test-results.ts'

/**
 * `npm test`: types, style, and each rule once; `--deep`: the tests that are tagged so. Other arguments go to vitest, which
 * then runs those files alone, whole. Ends with what was missing, failed, did not end or was retried, the CPU time by kind,
 * and one line of counts.
 */

const root = join(import.meta.dirname, '..')
const tools = {
  tsc: 'typescript/bin/tsc',
  biome: '@biomejs/biome/bin/biome',
  vitest: 'vitest/vitest.mjs',
}
/** Time limits of a run that hangs. CI allows 90 minutes for both. */
const MAX_RUN_MS = 25 * 60_000
const MAX_DEEP_RUN_MS = 58 * 60_000
/** CPU seconds of `npm test`, on the scale of decision 0075. */
const BUDGET_SECONDS = 1_050
/** CI fails above this share of the budget. */
const MAX_BUDGET_SHARE = 1.25

const isDeep = process.argv[2] === '--deep'
const vitestArguments = process.argv.slice(isDeep ? 3 : 2)
const isWhole = vitestArguments.length === 0
const folder = mkdtempSync(join(tmpdir(), 'meydan-test-'))
const results = join(folder, 'results.txt')
process.env.TEST_RESULTS = results // vitest.config.ts writes there
process.env.TEST_SEED ??= String(Date.now() % 1_000_000_000) // read by property tests and fuzzers
try {
  if (isWhole) await runWholeTier()
  else process.exitCode = (await runTool('vitest', ['run', ...vitestArguments])) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function runWholeTier(): Promise<void> {
  const machineFactor = await calibrate()
  const meter = process.platform === 'linux' ? new CpuMeter() : null
  const tests = runTool('vitest', ['run', `--tags-filter=${isDeep ? 'deep' : '!deep'}`])
  const checks = isDeep ? [] : [runCheck('types', 'tsc', []), runCheck('style', 'biome', ['check'])]
  const checkCounts = await Promise.all(checks)
  const { counts, notes } = readResults(results, await tests)
  const budget = meter ? checkBudget(meter.stop(), machineFactor) : { counts: [], notes: [] }
  const all = sumCounts([...checkCounts, counts, ...budget.counts])
  process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0
  const seed = `TEST_SEED=${process.env.TEST_SEED}`
  console.log(['', ...notes, ...budget.notes, seed, formatCounts(all)].join('\n'))
}

/** The CPU time by kind of test. In CI a `npm test` far above the budget fails, so that its time stays. */
function checkBudget(kinds: Map<string, number>, machineFactor: number) {
  const seconds = [...kinds.values()].reduce((sum, kind) => sum + kind, 0)
  const share = isDeep ? 0 : seconds / machineFactor / BUDGET_SECONDS
  const byKind = [...kinds].map(([kind, used]) => `${kind} ${Math.round(used)}`).join(', ')
  const used = `CPU seconds: ${byKind}; ${Math.round(seconds)} in all, machine factor ${machineFactor.toFixed(2)}`
  const ofBudget = `${share > 1 ? 'WARNING: ' : ''}${Math.round(share * 100)} percent of the budget of ${BUDGET_SECONDS} s`
  const isFailure = process.env.CI !== undefined && share > MAX_BUDGET_SHARE
  return {
    counts: isFailure ? [{ passed: 0, failed: 1, skipped: 0 }] : [],
    notes: isDeep ? [used] : [used, ofBudget],
  }
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
    const timeout = isDeep ? MAX_DEEP_RUN_MS : MAX_RUN_MS
    const child = spawn(process.execPath, [entry, ...args], { cwd: root, stdio: 'inherit', timeout })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0))
  })
}
