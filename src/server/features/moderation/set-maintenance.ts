import { refusals } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { siteStream } from '../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { getMaintenanceSince } from '../../model/moderation/queries.ts'
import { query } from '../../model/schema/query.ts'

const setMaintenanceSince = query<{ since: number | null }>()((db, p) =>
  db.updateTable('siteState').set({ maintenanceSince: p('since') }),
)

/** Turns maintenance on or off; while on, only root admins may use the site. Run from the command line of the server. */
export const setMaintenance = defineCommand({
  name: 'setMaintenance',
  origin: 'primary',
  keepResult: 'never',
  run(tx: Transaction, _actor: Actor | null, { isOn }: { isOn: boolean }): { isChanged: boolean } {
    if ((getMaintenanceSince(tx) !== null) === isOn) return { isChanged: false }
    tx.run(setMaintenanceSince, { since: isOn ? tx.now : null })
    const message = isOn ? refusals.Maintenance.message : ''
    tx.emit({ stream: siteStream, name: 'serverMaintenance', payload: { isOn, message } })
    recordAction(tx, { kind: isOn ? 'maintenanceStarted' : 'maintenanceEnded', actorId: null })
    return { isChanged: true }
  },
})
