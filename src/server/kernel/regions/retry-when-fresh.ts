import { Refusal, type RefusalCode, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'

/**
 * Runs a read. When it is refused with `doubtedCode` on a replica, the row may not have arrived yet: the read runs again
 * once the replica is up to date. Refused with RegionCut when the replica cannot become so in time.
 */
export async function retryWhenFresh<T>(
  { replicationStatus }: Pick<AppContext, 'replicationStatus'>,
  doubtedCode: RefusalCode,
  read: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const result = await read()
  const isCertain = !(result instanceof Refusal) || result.body.code !== doubtedCode
  if (isCertain || replicationStatus.role() === 'primary') return result
  return (await replicationStatus.waitUntilFresh()) ? read() : refuse('RegionCut')
}
