import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { PrivacyChanges } from '../../shared/settings/rules.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { setPrivacy } from './set-privacy.ts'

/** The actor lets others come near, or keeps them off, from now on as said. */
export function updatePrivacySettings(
  tx: Transaction,
  actor: Actor | null,
  changes: PrivacyChanges,
): { success: true } | Refusal {
  if (!actor) return refuse('NotSignedIn')
  setPrivacy(tx, actor.userId, changes)
  return { success: true }
}
