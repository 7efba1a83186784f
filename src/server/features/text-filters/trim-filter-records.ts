import { sql } from 'kysely'
import {
  ALERT_RETENTION_MS,
  FINGERPRINT_RETENTION_MS,
  HELD_TEXT_RETENTION_MS,
  HIT_RETENTION_MS,
  MAX_ALERTS,
  MAX_HITS,
} from '../../../shared/text-filters/limits.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../../model/schema/query.ts'
import { emitAlertsChanged } from './alerts.ts'
import { emitHeldTextsChanged } from './held-texts.ts'

/** Keeps each step short, so that other commands do not wait behind it. */
const STEP_ROWS = 200

// The row at the bound, of newest rows, is where the surplus begins.
const deleteHits = query<{ before: number; max: number; limit: number }>()((db, p) =>
  db.deleteFrom('filterHit').where(
    'id',
    'in',
    db
      .selectFrom('filterHit')
      .select('id')
      .where(
        sql<boolean>`at < ${p('before')} or id <= (select id from filterHit order by id desc limit 1 offset ${p('max')})`,
      )
      .limit(p('limit')),
  ),
)
const deleteAlerts = query<{ before: number; max: number; limit: number }>()((db, p) =>
  db.deleteFrom('alert').where(
    'id',
    'in',
    db
      .selectFrom('alert')
      .select('id')
      .where(
        sql<boolean>`raisedAt < ${p('before')} or id <= (select id from alert order by id desc limit 1 offset ${p('max')})`,
      )
      .limit(p('limit')),
  ),
)
const deleteHeldTexts = query<{ before: number; limit: number }>()((db, p) =>
  db
    .deleteFrom('heldText')
    .where('id', 'in', db.selectFrom('heldText').select('id').where('at', '<', p('before')).limit(p('limit'))),
)
const deleteFingerprints = query<{ before: number; limit: number }>()((db, p) =>
  db
    .deleteFrom('accountMark')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('userId', 'kind', 'hash'),
        'in',
        selectFrom('accountMark')
          .select(['userId', 'kind', 'hash'])
          .where('lastSeenAt', '<', p('before'))
          .limit(p('limit'))
          .$asTuple('userId', 'kind', 'hash'),
      ),
    ),
)

/** One step of deleting hits, alerts, fingerprints and waiting texts that are too old or too many. */
export const trimFilterRecords = defineCommand({
  name: 'trimFilterRecords',
  origin: 'primary',
  keepsCachedRows: true,
  run(tx: Transaction): { removed: number } {
    const limit = STEP_ROWS
    const held = tx.run(deleteHeldTexts, { before: tx.now - HELD_TEXT_RETENTION_MS, limit }).changes
    if (held > 0) emitHeldTextsChanged(tx)
    const hits = tx.run(deleteHits, { before: tx.now - HIT_RETENTION_MS, max: MAX_HITS, limit }).changes
    const alerts = tx.run(deleteAlerts, { before: tx.now - ALERT_RETENTION_MS, max: MAX_ALERTS, limit }).changes
    const fingerprints = tx.run(deleteFingerprints, { before: tx.now - FINGERPRINT_RETENTION_MS, limit }).changes
    if (alerts > 0) emitAlertsChanged(tx, 1)
    return { removed: held + hits + alerts + fingerprints }
  },
})
