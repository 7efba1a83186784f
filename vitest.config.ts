import { defineConfig } from 'vitest/config'

/** Two cores: files of the first group run side by side; what measures time or drives a browser runs alone, after. */
export default defineConfig({
  test: {
    allowOnly: false,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,migrations,scripts,bench}/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          maxWorkers: 2,
          setupFiles: ['tests/signals.setup.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'site',
          include: ['tests/site/**/*.test.ts'],
          globalSetup: ['tests/build.setup.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'islands',
          include: ['tests/islands/**/*.test.ts'],
          globalSetup: ['tests/browser.setup.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          globalSetup: ['tests/build.setup.ts', 'tests/browser.setup.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
