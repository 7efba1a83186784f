import * as v from 'valibot'
import { Count, Cursor, route } from '../protocol/define.ts'

const Position = v.object({
  /** LiteFS's transaction, 16 hex digits; empty where the site is one file in one place. */
  txid: v.string(),
  /** The highest number of the event log. */
  seq: Cursor,
})

export const routes = {
  region: route({
    description: 'The region that answers: what it is now, which region is the primary, and how far this one has come.',
    method: 'GET',
    path: '/region',
    access: 'anyone',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({}),
    answer: v.object({
      region: v.string(),
      role: v.picklist(['primary', 'replica']),
      /** null while nobody is known to be. */
      primary: v.nullable(v.string()),
      position: Position,
      /** Milliseconds that this region is behind what it knows of the primary; null while it is not linked to one. */
      lagMs: v.nullable(Count),
    }),
  }),
}

type OwnRoutes = typeof routes
declare module '../protocol/catalogue.ts' {
  interface Routes extends OwnRoutes {}
}
