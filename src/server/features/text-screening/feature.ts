import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { HOUR_MS, runInSteps } from '../../kernel/operations/jobs.ts'
import { trimReplacedTexts } from './trim-replaced-texts.ts'

/** The hook that checks every text before it is stored. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    jobs: [{ intervalMs: HOUR_MS, isPrimaryOnly: true, run: () => runInSteps(appContext.execute, trimReplacedTexts) }],
  }
}
