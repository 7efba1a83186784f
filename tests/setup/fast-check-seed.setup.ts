import { vi } from 'vitest'

/** `npm test` sets another seed in each run, and prints it; `TEST_SEED=7 npm test` repeats one. A file alone uses a fixed one. */
const SEED = Number(process.env.TEST_SEED ?? 20_261_122)

vi.mock(import('fast-check'), async (original) => {
  const real = await original()
  real.configureGlobal({ ...real.readConfigureGlobal(), seed: SEED })
  return real
})
