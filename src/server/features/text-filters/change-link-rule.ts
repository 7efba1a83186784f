import { isDeepStrictEqual } from 'node:util'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { LinkRuleSetting } from '../../../shared/text-filters/protocol.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { query } from '../../model/schema/query.ts'
import { countHeldTexts, filterState, toLinkRuleSetting } from '../../model/text-filters/queries.ts'

export interface ChangeLinkRule extends LinkRuleSetting {
  /** Hosts of the site, as the region of the root admin knows them. */
  ownHosts: string[]
}

const updateLinkRule = query<{
  linkMinDays: number
  guestsMayLink: Flag
  allowedHosts: string
  ownHosts: string
}>()((db, p) =>
  db.updateTable('textFilter').set({
    linkMinDays: p('linkMinDays'),
    guestsMayLink: p('guestsMayLink'),
    allowedHosts: p('allowedHosts'),
    ownHosts: p('ownHosts'),
  }),
)

/** Sets who may send links. Refuses with Forbidden. */
export const changeLinkRule = defineCommand({
  name: 'changeLinkRule',
  run(
    tx: Transaction,
    actor: Actor | null,
    { ownHosts, ...input }: ChangeLinkRule,
  ): ({ success: true } & LinkRuleSetting) | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const state = tx.get(filterState)
    if (!state) throw new Error('the table textFilter has no row')
    const allowedHosts = [...new Set(input.allowedHosts.map((host) => host.toLowerCase()))]
    const { minDays, guestsMayLink } = input
    const rule = { minDays, guestsMayLink, allowedHosts }
    tx.run(updateLinkRule, {
      linkMinDays: minDays,
      guestsMayLink: guestsMayLink ? 1 : 0,
      allowedHosts: JSON.stringify(allowedHosts),
      ownHosts: JSON.stringify(ownHosts),
    })
    if (!isDeepStrictEqual(rule, toLinkRuleSetting(state))) {
      recordAction(tx, { kind: 'linkRuleChanged', actorId: actor.userId, details: { minDays, guestsMayLink } })
      const payload = { part: 'linkRule', heldCount: countHeldTexts(tx) } as const
      tx.emit({ stream: rootAdminStream, name: 'textFilterChanged', payload })
    }
    return { success: true, ...rule }
  },
})
