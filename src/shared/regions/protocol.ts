import * as v from 'valibot'
import { Count, Cursor, route } from '../protocol/define.ts'

const Position = v.object({
  /** The LiteFS transaction id, 16 hex digits; empty on a single node. */
  txid: v.string(),
  /** The highest `seq` of the event log. */
  seq: Cursor,
})

export const routes = {
  region: route({
    description: 'The answering region: its role, the primary and its replication position.',
    method: 'GET',
    path: '/region',
    access: 'anyone',
    isOpenInMaintenance: true,
    input: v.object({}),
    answer: v.object({
      region: v.string(),
      role: v.picklist(['primary', 'replica']),
      /** null while no primary is known. */
      primary: v.nullable(v.string()),
      position: Position,
      /** Replication lag behind the last known position of the primary, in milliseconds; null without a link to it. */
      lagMs: v.nullable(Count),
    }),
  }),
}
