import { MAX_ALERT_ACCOUNTS, MAX_EXCERPT_LENGTH } from '../../../shared/text-filters/limits.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { raiseAlert } from './alerts.ts'
import type { Flood } from './flood-watch.ts'

/** Raises one alert for a flood of an address; one that goes on is counted in it. */
export const raiseFloodAlert = defineCommand({
  name: 'raiseFloodAlert',
  origin: 'primary',
  keepsCachedRows: true,
  run(
    tx: Transaction,
    _actor: null,
    { kind, fingerprint, userIds, messageCount, sample, since }: Flood,
  ): { raised: true } {
    raiseAlert(tx, {
      kind,
      cause: `${kind} ${fingerprint}`,
      userId: null,
      placeKind: null,
      placeId: null,
      clientId: null,
      details: {
        userIds: userIds.slice(0, MAX_ALERT_ACCOUNTS),
        accountCount: userIds.length,
        messageCount,
        sample: sample?.slice(0, MAX_EXCERPT_LENGTH).toWellFormed() ?? null,
        since,
      },
    })
    return { raised: true }
  },
})
