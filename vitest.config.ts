import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { KIND_TITLE } from './scripts/cpu-meter.ts'
import { ResultReporter } from './scripts/result-reporter.ts'
import { PATIENCE_MS } from './tests/drivers/patience.ts'
import { findTemporaryFolder } from './tests/setup/temporary-folder.ts'

/** One more than the two cores of a small machine: a test that waits for a thread or a disk leaves its core to another. */
const WORKERS = 3
/** For tests that mostly wait: for browsers, leases, and the pauses that a room's rules ask for. */
const WAITING_WORKERS = 4
/**
 * For tests that wait for real processes, browsers and kernels, which share the machine with other work. `npm test` names
 * every test that passed only at its second try. Tests that run in memory alone are not tried again.
 */
const RETRIES = 1
const PATIENT_POLLS = { poll: { timeout: PATIENCE_MS } }
/** The file in which `npm test` reads the results. */
const { TEST_RESULTS } = process.env
// Workers, their threads, sites and browsers inherit them.
Object.assign(process.env, { TMPDIR: findTemporaryFolder(), NODE_COMPILE_CACHE: '.cache/compiled-tests' })

/** The worker's process title, by which the CPU meter knows the kind of its tests. */
const ofKind = (kind: string) => ({ execArgv: [`--title=${KIND_TITLE}${kind}`] })

/** For tests that run in memory alone. */
const IN_MEMORY = {
  ...ofKind('memory'),
  setupFiles: ['tests/setup/client-signals.setup.ts', 'tests/setup/fast-check-seed.setup.ts'],
  maxWorkers: WORKERS,
  // Far beyond what any takes, so that a busy machine fails none.
  testTimeout: 2 * PATIENCE_MS,
  hookTimeout: 2 * PATIENCE_MS,
  expect: PATIENT_POLLS,
  sequence: { groupOrder: 0 },
}

/** The option by which `npm test` and `npm run test:deep` name their tier. */
const TAGS_FILTER = '--tags-filter='
const tier = process.argv.find((word) => word.startsWith(TAGS_FILTER))?.slice(TAGS_FILTER.length)
/** Files without a test of the tier, which are not loaded. */
const OTHER_FILES = tier
  ? globSync('{src,migrations,scripts,bench,tests}/**/*.test.{ts,tsx}').filter(isOfOtherTier)
  : []

function isOfOtherTier(file: string): boolean {
  const text = readFileSync(file, 'utf8')
  return tier === 'deep' ? !/@module-tag deep|'deep'/.test(text) : text.includes('@module-tag deep')
}

/** For tests that wait for processes and browsers. */
const WITH_PROCESSES = {
  retry: RETRIES,
  expect: PATIENT_POLLS,
  // Several waits of the longest kind fit in, so that the one that fails is named.
  testTimeout: 8 * PATIENCE_MS,
  hookTimeout: 8 * PATIENCE_MS,
  exclude: OTHER_FILES,
  maxWorkers: WAITING_WORKERS,
  sequence: { groupOrder: 1 },
}

const REGION_SETUP = ['tests/regions/litefs.setup.ts', 'tests/setup/build.setup.ts', 'tests/setup/browser.setup.ts']

const SERVER_TESTS = [
  '{src/server,migrations,scripts,bench}/**/*.test.{ts,tsx}',
  'tests/{contract,repository}/**/*.test.ts',
]
/** Files that change what modules hold, so that each needs modules of its own. */
const ISOLATED_FILES = [
  // They replace the module of the clock.
  'src/server/kernel/regions/simulation.test.ts',
  'src/server/kernel/regions/simulation-regressions.test.ts',
  'src/server/testing/simulation/simulated-litefs.test.ts',
  'src/server/features/sanctions/sanctions-in-regions.test.ts',
  'src/server/features/audit/action-log-regions.test.ts',
  // They add a command to the catalogue.
  'src/server/kernel/protocol/catalogue.test.ts',
  'src/server/kernel/protocol/version.test.ts',
  'tests/contract/idempotency.test.ts',
]

/** Tests in regions that measure how a call goes on, beside which nothing else runs. */
const QUIET_FILES = ['tests/regions/call-networks.test.ts']

/** The size of these files does not tell how long they take. */
const LONG_FILES = /tests\/(regions|site)\/|accessibility/

/** Vitest orders the files of a group by project, and by size in a fresh clone, which leaves the longest to one worker at the end. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const rank = ({ moduleId }: TestSpecification) => (LONG_FILES.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).toSorted((a, b) => group(a) - group(b) || rank(a) - rank(b))
  }
}

/**
 * In four groups, one after another: what runs in memory alone; what drives browsers, processes and whole regions; what
 * attacks a site; and what measures calls.
 */
export default defineConfig({
  // Here vitest keeps how long each file took, which orders the next run.
  cacheDir: '.cache/vite',
  test: {
    allowOnly: false,
    sequence: { sequencer: LongFilesFirst },
    tags: [{ name: 'deep', description: 'Only in `npm run test:deep`: what another test proves at less cost.' }],
    reporters: ['default', ...(TEST_RESULTS ? [new ResultReporter(TEST_RESULTS)] : [])],
    projects: [
      {
        test: {
          ...IN_MEMORY,
          name: 'unit',
          include: SERVER_TESTS,
          exclude: [...ISOLATED_FILES, ...OTHER_FILES],
          // With isolation each file loads the server's modules again: a third of the processor time.
          isolate: false,
        },
      },
      {
        test: { ...IN_MEMORY, name: 'unit-isolated', include: ISOLATED_FILES, exclude: OTHER_FILES },
      },
      {
        test: {
          ...IN_MEMORY,
          name: 'unit-client',
          include: ['src/{client,shared}/**/*.test.{ts,tsx}'],
          exclude: OTHER_FILES,
          // These modules keep no state between files; with isolation, loading them takes half of the time.
          isolate: false,
        },
      },
      {
        test: {
          ...WITH_PROCESSES,
          ...ofKind('site'),
          name: 'site',
          include: ['tests/site/**/*.test.ts'],
          globalSetup: ['tests/setup/build.setup.ts'],
        },
      },
      {
        test: {
          ...WITH_PROCESSES,
          ...ofKind('islands'),
          name: 'islands',
          include: ['tests/islands/**/*.test.ts'],
          globalSetup: ['tests/setup/browser.setup.ts'],
        },
      },
      {
        test: {
          ...WITH_PROCESSES,
          ...ofKind('journeys'),
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          globalSetup: ['tests/setup/build.setup.ts', 'tests/setup/browser.setup.ts'],
          // No file leaves anything in a module that another one reads.
          isolate: false,
        },
      },
      {
        test: {
          ...WITH_PROCESSES,
          ...ofKind('regions'),
          name: 'regions',
          include: ['tests/regions/**/*.test.ts'],
          exclude: [...OTHER_FILES, ...QUIET_FILES],
          globalSetup: REGION_SETUP,
        },
      },
      {
        test: {
          ...WITH_PROCESSES,
          ...ofKind('attacks'),
          name: 'attacks',
          include: ['tests/attacks/**/*.test.ts'],
          globalSetup: ['tests/setup/build.setup.ts'],
          // The files share one site, and nothing else runs beside them: bystanders compare it with a quiet one.
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...WITH_PROCESSES,
          ...ofKind('regions'),
          name: 'quiet-regions',
          include: QUIET_FILES,
          globalSetup: REGION_SETUP,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
