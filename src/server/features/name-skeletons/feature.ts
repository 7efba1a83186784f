import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { MINUTE_MS, runInSteps } from '../../kernel/operations/jobs.ts'
import { listWithoutSkeleton } from '../../model/name-skeletons/queries.ts'
import { fillSkeletons } from './fill-skeletons.ts'

/** Stores the skeletons of names that have none. */
export function createFeature({ appContext: { execute, reader } }: FeatureContext): Feature {
  // Most of the time there is nothing to write.
  const fill = async () => {
    const { users, rooms } = listWithoutSkeleton(reader, 1)
    if (users.length + rooms.length > 0) await runInSteps(execute, fillSkeletons)
  }
  return { jobs: [{ intervalMs: MINUTE_MS, isPrimaryOnly: true, run: fill }] }
}
