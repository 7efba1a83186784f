import { expect, expectTypeOf, it } from 'vitest'
import { Id } from './define.ts'
import { MessageId, type RoomId, SessionId, UserId } from './ids.ts'

const roomId: RoomId = 7

it('takes a plain number as the id of any table', () => {
  expectTypeOf<number>().toExtend<UserId>()
  expectTypeOf<RoomId>().toExtend<number>()
  expect<UserId>(7).toBe(roomId)
})

it('refuses the id of another table when types are checked', () => {
  expectTypeOf<RoomId>().not.toExtend<UserId>()
  expectTypeOf<UserId | null>().not.toExtend<MessageId | null>()
  // @ts-expect-error a room's id is no user's id
  const userId: UserId = roomId
  // @ts-expect-error ids of two tables are never equal
  const isSame = (user: UserId) => user === roomId
  expect(isSame(userId)).toBe(true)
})

it('is one schema on the wire for the ids of all tables', () => {
  for (const schema of [UserId, MessageId, SessionId]) expect(schema).toBe(Id)
})
