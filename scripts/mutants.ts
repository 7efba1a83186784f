import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, mutants } from './mutant-table.ts'

/**
 * `npm run mutants`: breaks the code once for each row of the table and runs the tests that must notice it, all of `npm test`.
 * A mutant that survives, or whose text is no longer in the code, fails. Arguments choose rows by their file.
 * Works in a git worktree of the committed state, so that the checkout stays as it is.
 */

const root = join(import.meta.dirname, '..')
const worktree = join(root, '.cache/mutants')
/** Time limit of one mutant's tests. The run without a mutant has as much for each of its files. */
const TIMEOUT_MS = 5 * 60_000

type Outcome = 'killed' | 'SURVIVED' | 'GONE'

const chosen = mutants.filter(({ file }) => process.argv.slice(2).every((part) => file.includes(part)))
if (chosen.length === 0) throw new Error('no mutant is in such a file')
openWorktree()
try {
  // A run that fails for another reason would count as a kill.
  const baseline = [...new Set(chosen.flatMap(({ tests }) => tests))]
  if (runTests(baseline, baseline.length * TIMEOUT_MS) !== 0) throw new Error('the tests fail without a mutant')
  const survivors = chosen.filter((mutant) => {
    const outcome = tryMutant(mutant)
    console.log(`${outcome}  ${mutant.file}: ${mutant.find} -> ${mutant.replace}`)
    return outcome !== 'killed'
  })
  console.log(`\n${chosen.length - survivors.length} passed, ${survivors.length} failed`)
  process.exitCode = survivors.length > 0 ? 1 : 0
} finally {
  closeWorktree()
}

function tryMutant({ file, find, replace, tests }: Mutant): Outcome {
  const path = join(worktree, file)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (text.split(find).length !== 2) return 'GONE'
  writeFileSync(
    path,
    text.replace(find, () => replace),
  )
  try {
    return runTests(tests) === 0 ? 'SURVIVED' : 'killed'
  } finally {
    writeFileSync(path, text)
  }
}

/** The exit code of the first tier's tests in these files. */
function runTests(tests: readonly string[], timeoutMs = TIMEOUT_MS): number | null {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const options = ['run', '--bail=1', '--retry=0', '--reporter=dot', '--tags-filter=!deep', ...tests]
  return spawnSync(process.execPath, [vitest, ...options], { cwd: worktree, stdio: 'ignore', timeout: timeoutMs })
    .status
}

function openWorktree(): void {
  closeWorktree()
  execFileSync('git', ['worktree', 'add', '--detach', worktree], { cwd: root, stdio: 'ignore' })
  symlinkSync(join(root, 'node_modules'), join(worktree, 'node_modules'))
}

function closeWorktree(): void {
  rmSync(worktree, { recursive: true, force: true })
  execFileSync('git', ['worktree', 'prune'], { cwd: root })
}
