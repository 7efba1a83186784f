import { join } from 'node:path'
import { defineProject } from 'vitest/config'

/** Tests on real LiteFS. They mount, start many processes and wait for leases, so they run alone. */
export default defineProject({
  test: {
    name: 'regions',
    root: join(import.meta.dirname, '../..'),
    include: ['tests/regions/**/*.test.ts'],
    globalSetup: ['tests/regions/litefs.setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
