import { expect, it } from 'vitest'
import { putCurrentFirst, sortByActivity } from './sort-rooms.ts'

const rooms = [1, 2, 3, 4].map((id) => ({ id, name: `oda${id}`, activeUsers: id }))

it('[ROOM-17] sorts rooms by their present number of users, then by age', () => {
  expect(sortByActivity(rooms, { 1: 9, 3: 2 }).map(({ id, activeUsers }) => [id, activeUsers])).toEqual([
    [1, 9],
    [4, 4],
    [2, 2],
    [3, 2],
  ])
})

it('[ROOM-16] puts the current room first, also an unlisted one', () => {
  expect(putCurrentFirst(rooms, { id: 3, name: 'oda3' }, {}).map(({ id }) => id)).toEqual([3, 1, 2, 4])
  expect(putCurrentFirst(rooms, { id: 7, name: 'gizli' }, { 7: 5 })[0]).toEqual({
    id: 7,
    name: 'gizli',
    activeUsers: 5,
  })
})
