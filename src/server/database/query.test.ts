import { expect, it } from 'vitest'
import { query } from './query.ts'

it('leaves SQLite nothing to plan anew for: it looks at no bound value, and fixed numbers are text', () => {
  const newest = query<{ roomId: number; most: number }>()((db, p) =>
    db
      .selectFrom('message')
      .select('id')
      .where('roomId', '=', p('roomId'))
      .where('consecutiveCount', '=', 0)
      .orderBy('id', 'desc')
      .limit(p('most')),
  )
  expect(newest.sql).toBe(
    'select "id" from "message" where "roomId" = +? and "consecutiveCount" = 0 order by "id" desc limit +?',
  )
  expect(newest.bind({ roomId: 7, most: 20 })).toEqual([7, 20])
})
