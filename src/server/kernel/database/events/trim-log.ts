import { sql } from 'kysely'
import { defineCommand } from '../commands/define-command.ts'
import { query } from '../query.ts'
import type { Transaction } from '../transaction.ts'
import { lastUsedSeq } from './events.ts'

const EVENT_RETENTION_MS = 24 * 60 * 60 * 1000
const MAX_EVENT_ROWS = 1_000_000
const TRIM_BATCH_ROWS = 500
/** Gaps outlive the events around them: a former primary finds its lost events by them, also after days. */
const MAX_GAP_ROWS = 1000

const deleteOldEvents = query<{ before: number; belowSeq: number; limit: number }>()((db, p) =>
  db.deleteFrom('event').where(
    'seq',
    'in',
    db
      .selectFrom('event')
      .select('seq')
      .where((eb) => eb.or([eb('at', '<', p('before')), eb('seq', '<', p('belowSeq'))]))
      // The last row stays, so that no number is used twice.
      .where(
        'seq',
        '<',
        db.selectFrom('event').select((eb) => eb.fn.max<number>('seq').as('last')),
      )
      .orderBy('seq')
      .limit(p('limit')),
  ),
)
const countSkippedSeqs = query()((db) =>
  db
    .selectFrom('eventGap')
    .select((eb) => eb.fn.sum<number | null>(sql`toSeq - fromSeq + 1`).as('numbers'))
    .where(
      'toSeq',
      '>=',
      db.selectFrom('event').select((eb) => eb.fn.min<number>('seq').as('first')),
    ),
)
const deleteOldGaps = query<{ maxRows: number }>()((db, p) =>
  db
    .deleteFrom('eventGap')
    .where(
      'fromSeq',
      '<=',
      db.selectFrom('eventGap').select('fromSeq').orderBy('fromSeq', 'desc').limit(1).offset(p('maxRows')),
    ),
)
const deleteExpiredAnswers = query<{ now: number; limit: number }>()((db, p) =>
  db
    .deleteFrom('commandAnswer')
    .where((eb) =>
      eb(
        eb.refTuple('userId', 'clientId'),
        'in',
        db
          .selectFrom('commandAnswer')
          .select(['userId', 'clientId'])
          .where('expiresAt', '<', p('now'))
          .limit(p('limit'))
          .$asTuple('userId', 'clientId'),
      ),
    ),
)

/** One step of trimming: deletes events beyond a day or a million rows, and stored answers that have expired. */
export const trimLog = defineCommand({
  name: 'trimLog',
  origin: 'primary',
  run(tx: Transaction): { removed: number } {
    tx.run(deleteOldGaps, { maxRows: MAX_GAP_ROWS })
    const belowSeq = lastUsedSeq(tx) - (tx.get(countSkippedSeqs)?.numbers ?? 0) - MAX_EVENT_ROWS
    const events = tx.run(deleteOldEvents, { before: tx.now - EVENT_RETENTION_MS, belowSeq, limit: TRIM_BATCH_ROWS })
    const answers = tx.run(deleteExpiredAnswers, { now: tx.now, limit: TRIM_BATCH_ROWS })
    return { removed: events.changes + answers.changes }
  },
})
