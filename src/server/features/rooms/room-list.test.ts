import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import type { RoomListing } from '../../../shared/rooms/protocol.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { RoomList } from './room-list.ts'

const ROOMS = 120
const STEPS = 600

let base: TestDatabase
let list: RoomList
let setCount: (roomId: RoomId, count: number) => void
const counts = new Map<RoomId, number>()

beforeEach(async () => {
  base = await openTestDatabase()
  counts.clear()
  list = new RoomList({
    roomCount: (roomId) => counts.get(roomId) ?? 0,
    ownRoomCounts: () => [],
    onRoomCountChange(listener) {
      setCount = (roomId, count) => {
        counts.set(roomId, count)
        listener(roomId, count)
      }
    },
  })
  const insert = base.db.prepare(
    `insert or ignore into room (id, name, foldedName, capacity, isList, isActive, createdAt, updatedAt)
     values (@id, 'Oda ' || @id, 'oda ' || @id, 100, 1, 1, 0, 0)`,
  )
  for (let id = 1; id <= ROOMS; id++) insert.run({ id })
})
afterEach(() => base.close())

/** The expected list, sorted from the table and the counts. */
function sortAll(): RoomListing[] {
  const rows = base.db.prepare('select id, name from room where isList = 1 and isActive = 1').all()
  return (rows as { id: number; name: string }[]) // the columns of the select
    .map((row) => ({ ...row, activeUsers: counts.get(row.id) ?? 0 }))
    .sort((a, b) => b.activeUsers - a.activeUsers || a.id - b.id)
}

it('[ROOM-03] [ROOM-24] the list and its 50 busiest equal a list sorted anew after any changes', () => {
  let state = 7
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  for (let step = 0; step < STEPS; step++) {
    const id = next(ROOMS) + 1
    setCount(id, next(9))
    if (step % 20 === 0) base.db.prepare('update room set isList = 1 - isList where id = ?').run(next(ROOMS) + 1)
    if (step % 50 === 0) base.db.prepare('update room set name = ? where id = ?').run(`Ad ${step}`, next(ROOMS) + 1)
    const expected = sortAll()
    expect(list.all(base.read, null)).toEqual(expected)
    const shown = { roomId: next(ROOMS) + 1, activeUsers: next(9) }
    const shownRooms = expected.map((room) =>
      room.id === shown.roomId ? { ...room, activeUsers: shown.activeUsers } : room,
    )
    shownRooms.sort((a, b) => b.activeUsers - a.activeUsers || a.id - b.id)
    expect(list.busiest(base.read, null, shown)).toEqual({ rooms: shownRooms.slice(0, 50), roomCount: expected.length })
  }
  base.db.prepare('update room set isActive = 0 where id = 1').run()
  base.db.prepare('delete from room where id = 120').run()
  expect(list.all(base.read, null)).toEqual(sortAll())
})

it('reads the rooms again only after one of them has changed', () => {
  let reads = 0
  const reader = Object.assign(Object.create(base.read) as typeof base.read, {
    all: (...args: Parameters<typeof base.read.all>) => {
      reads++
      return base.read.all(...args)
    },
  })
  list.all(reader, null)
  base.addMember('ada')
  base.db.prepare('update room set ownerId = null where id = 2').run()
  setCount(2, 5)
  expect(list.busiest(reader, null).rooms[0]).toMatchObject({ id: 2, activeUsers: 5 })
  expect(reads).toBe(1)
  base.db.prepare("update room set name = 'Yeni' where id = 2").run()
  expect(list.busiest(reader, null).rooms[0]).toMatchObject({ id: 2, name: 'Yeni' })
  expect(reads).toBe(2)
})
