import { isDeepStrictEqual } from 'node:util'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { LinkRuleSetting } from '../../shared/text-filters/protocol.ts'
import { recordAction } from '../audit/transactions.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Flag } from '../database/schema.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { rootAdminStream } from '../presence/streams.ts'
import { countHeldTexts, filterState, toLinkRuleSetting } from './queries.ts'

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
export const changeLinkRule = defineWrite({
  name: 'changeLinkRule',
  origin: 'anyRegion',
  keepResult: 'week',
  awaitsReplicaAck: false,
  retryInput: 'all',
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
