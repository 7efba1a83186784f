import { defineConfig } from 'vitest/config'
import { ResultReporter } from './scripts/result-reporter.ts'
import { SlowFirstSequencer } from './scripts/slow-first-sequencer.ts'
import { findTemporaryFolder } from './tests/setup/temporary-folder.ts'

/** One for each of the two cores that a small machine has. */
const WORKERS = 2
/** For tests that mostly wait: for browsers, leases, and the pauses that a room's rules ask for. */
const WAITING_WORKERS = 4
/**
 * For tests that wait for real processes, browsers and kernels, which share the machine with other work. `npm test` names
 * every test that passed only at its second try. Tests that run in memory alone are not tried again.
 */
const RETRIES = 1
/** Polls wait far longer than any takes, so that a busy machine fails none. */
const PATIENT_POLLS = { poll: { timeout: 30_000 } }
/** The file in which `npm test` reads the results. */
const { TEST_RESULTS } = process.env
// Workers, sites and browsers inherit it.
process.env.TMPDIR = findTemporaryFolder()

/** For tests that run in memory alone. */
const IN_MEMORY = {
  setupFiles: ['tests/setup/client-signals.setup.ts', 'tests/setup/fast-check-seed.setup.ts'],
  maxWorkers: WORKERS,
  // Far beyond what any takes, so that a busy machine fails none.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: PATIENT_POLLS,
  sequence: { groupOrder: 0 },
}

const SERVER_TESTS = [
  '{src/server,migrations,scripts,bench}/**/*.test.{ts,tsx}',
  'tests/{contract,repository}/**/*.test.ts',
]
/** Files that change what modules hold, so that each needs modules of its own. */
const ISOLATED_FILES = [
  // They replace the module of the clock.
  'src/server/regions/simulation.test.ts',
  'src/server/regions/simulation-regressions.test.ts',
  'src/server/testing/simulation/simulated-litefs.test.ts',
  'src/server/sanctions/sanctions-in-regions.test.ts',
  'src/server/audit/action-log-regions.test.ts',
  // They add a command to the catalogue.
  'src/server/protocol/catalogue.test.ts',
  'src/server/protocol/version.test.ts',
  'tests/contract/idempotency.test.ts',
]

/** Files that share a cluster of regions (`shareWorkerCluster`): starting one takes longer than their tests. */
const SHARED_CLUSTER_FILES = [
  'avatars',
  'blocking',
  'consistency',
  'gifts',
  'moderation',
  'posts',
  'registration',
  'room-entry',
  'room-management',
  'room-orders',
  'sessions',
  'wallet',
  'withdrawals',
].map((name) => `tests/regions/${name}.test.ts`)
/** For tests of regions, which mount file systems. */
const IN_REGIONS = {
  globalSetup: ['tests/regions/litefs.setup.ts', 'tests/setup/build.setup.ts', 'tests/setup/browser.setup.ts'],
  retry: RETRIES,
  expect: PATIENT_POLLS,
  testTimeout: 180_000,
  hookTimeout: 120_000,
  maxWorkers: WAITING_WORKERS,
  sequence: { groupOrder: 2 },
}

/**
 * In three groups, one after another: what runs in memory alone; what kills and floods whole sites; and what drives
 * browsers and whole regions, which mount file systems, start many processes and wait for leases.
 */
export default defineConfig({
  test: {
    allowOnly: false,
    sequence: { sequencer: SlowFirstSequencer },
    reporters: ['default', ...(TEST_RESULTS ? [new ResultReporter(TEST_RESULTS)] : [])],
    projects: [
      {
        test: {
          ...IN_MEMORY,
          name: 'unit',
          include: SERVER_TESTS,
          exclude: ISOLATED_FILES,
          // With isolation each file loads the server's modules again: a third of the processor time.
          isolate: false,
        },
      },
      {
        test: { ...IN_MEMORY, name: 'unit-isolated', include: ISOLATED_FILES },
      },
      {
        test: {
          ...IN_MEMORY,
          name: 'unit-client',
          include: ['src/{client,shared}/**/*.test.{ts,tsx}'],
          // These modules keep no state between files; with isolation, loading them takes half of the time.
          isolate: false,
        },
      },
      {
        test: {
          name: 'site',
          include: ['tests/site/**/*.test.ts'],
          globalSetup: ['tests/setup/build.setup.ts'],
          maxWorkers: WORKERS,
          retry: RETRIES,
          expect: PATIENT_POLLS,
          testTimeout: 180_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'attacks',
          include: ['tests/attacks/**/*.test.ts'],
          globalSetup: ['tests/setup/build.setup.ts'],
          // The files share one site, and nothing else runs beside them: bystanders compare it with a quiet one.
          isolate: false,
          maxWorkers: 1,
          retry: RETRIES,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'islands',
          include: ['tests/islands/**/*.test.ts'],
          globalSetup: ['tests/setup/browser.setup.ts'],
          retry: RETRIES,
          expect: PATIENT_POLLS,
          testTimeout: 180_000,
          hookTimeout: 60_000,
          maxWorkers: WAITING_WORKERS,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          globalSetup: ['tests/setup/build.setup.ts', 'tests/setup/browser.setup.ts'],
          retry: RETRIES,
          expect: PATIENT_POLLS,
          testTimeout: 180_000,
          hookTimeout: 60_000,
          // No file leaves anything in a module that another one reads.
          isolate: false,
          maxWorkers: WAITING_WORKERS,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...IN_REGIONS,
          name: 'regions',
          include: ['tests/regions/**/*.test.ts'],
          exclude: SHARED_CLUSTER_FILES,
        },
      },
      {
        test: {
          ...IN_REGIONS,
          name: 'regions-shared',
          include: SHARED_CLUSTER_FILES,
          globalSetup: ['tests/regions/litefs.setup.ts', 'tests/setup/build.setup.ts'],
          // The cluster is kept in a module.
          isolate: false,
        },
      },
    ],
  },
})
