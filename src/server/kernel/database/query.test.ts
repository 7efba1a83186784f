import { expect, it } from 'vitest'
import { query, updateRow } from '../../model/schema/query.ts'

it('compiles SQL that SQLite does not plan again for each bound value', () => {
  const newest = query<{ roomId: number; limit: number }>()((db, p) =>
    db
      .selectFrom('message')
      .select('id')
      .where('roomId', '=', p('roomId'))
      .where('consecutiveCount', '=', 0)
      .orderBy('id', 'desc')
      .limit(p('limit')),
  )
  expect(newest.sql).toBe(
    'select "id" from "message" where "roomId" = +? and "consecutiveCount" = 0 order by "id" desc limit +?',
  )
  expect(newest.bind({ roomId: 7, limit: 20 })).toEqual([7, 20])
})

it('compiles an update of a row by its keys, whose columns are parameters or constants', () => {
  const setRead = updateRow('notification', ['recipientId', 'id'], ['createdAt'], { read: 1 })
  expect(setRead.sql).toBe(
    'update "notification" set "createdAt" = +?, "read" = 1 where "recipientId" = +? and "id" = +?',
  )
  expect(setRead.bind({ recipientId: 3, id: 7, createdAt: 50 })).toEqual([50, 3, 7])
})
