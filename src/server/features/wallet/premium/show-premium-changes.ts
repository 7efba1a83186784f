import type { AppContext } from '../../../kernel/app-context.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Reader } from '../../../kernel/database/read.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { emitProfileUpdated } from '../../../model/accounts/transactions.ts'
import { query, updateRow } from '../../../model/schema/query.ts'

/** Each change goes to every connection, so many ends at once are spread over the runs of the job. */
const CHANGES_PER_RUN = 50

const endedPremium = query<{ now: number; limit: number }>()((db, p) =>
  db
    .selectFrom('user')
    .select('id')
    .where('isShownPremium', '=', 1)
    .where('premiumUntil', '<=', p('now'))
    .where('premiumUntil', 'is not', null)
    .limit(p('limit')),
)
const begunPremium = query<{ now: number; limit: number }>()((db, p) =>
  db
    .selectFrom('user')
    .select('id')
    .where('isShownPremium', '=', 0)
    .where('premiumUntil', '>', p('now'))
    .where('premiumUntil', 'is not', null)
    .limit(p('limit')),
)
const setShown = updateRow('user', ['id'], ['isShownPremium'])

/** Users of whom the site shows another state of premium than the clock says; a clock that is set back begins it again. */
function findChanged(reader: Pick<Reader, 'all'>, now: number, limit: number) {
  return {
    ended: reader.all(endedPremium, { now, limit }),
    begun: reader.all(begunPremium, { now, limit }),
  }
}

/** Sends everyone the users whose premium has ended, once. */
export const showPremiumChanges = defineCommand({
  name: 'showPremiumChanges',
  origin: 'primary',
  run(tx: Transaction, _actor: Actor | null, _input: object): { changed: number } {
    const { ended, begun } = findChanged(tx, tx.now, CHANGES_PER_RUN)
    for (const { id } of ended) tx.run(setShown, { id, isShownPremium: 0 })
    for (const { id } of begun) tx.run(setShown, { id, isShownPremium: 1 })
    for (const { id } of [...ended, ...begun]) emitProfileUpdated(tx, id)
    return { changed: ended.length + begun.length }
  },
})

/** The job of the primary: writes only when there is something to send. */
export async function watchPremiumEnds({ reader, execute, clock }: AppContext): Promise<void> {
  const { ended, begun } = findChanged(reader, clock(), 1)
  if (ended.length + begun.length > 0) await execute(showPremiumChanges, null, {})
}
