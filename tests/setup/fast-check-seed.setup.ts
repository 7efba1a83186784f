import { vi } from 'vitest'

/** Properties use a fixed seed, so that runs are reproducible. `TEST_SEED=7 npm test` sets another. */
const SEED = Number(process.env.TEST_SEED ?? 20_261_122)

vi.mock(import('fast-check'), async (original) => {
  const real = await original()
  real.configureGlobal({ ...real.readConfigureGlobal(), seed: SEED })
  return real
})
