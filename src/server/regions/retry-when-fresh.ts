import { Refusal, type RefusalCode, refuse } from '../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'

/**
 * What `look` finds. Where it says no with `doubted`, another region may know better, so one that is not the primary looks
 * again once it is up to date, and says RegionCut where it cannot be.
 */
export async function retryWhenFresh<T>(
  { replicationStatus }: Pick<AppContext, 'replicationStatus'>,
  doubted: RefusalCode,
  look: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const found = await look()
  const isSure = !(found instanceof Refusal) || found.body.code !== doubted
  if (isSure || replicationStatus.role() === 'primary') return found
  return (await replicationStatus.waitUntilFresh()) ? look() : refuse('RegionCut')
}
