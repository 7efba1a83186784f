import { beforeEach, describe, expect, it } from 'vitest'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { BUSIEST_ROOMS } from '../../../shared/rooms/limits.ts'
import { Connection } from '../live/connection.ts'
import { Publisher } from '../live/publisher.ts'
import { RoomCounts } from './room-counts.ts'
import { busiestRoomCountStream, roomCountStream } from './streams.ts'

const silent = { send() {}, bufferedBytes: () => 0, ping() {}, close() {} }

let counts: RoomCounts
let published: { stream: string; rooms: unknown }[]

beforeEach(() => {
  published = []
  const publisher = new Publisher(0)
  publisher.publishEphemeral = (stream, _name, payload) =>
    void published.push({ stream, rooms: (payload as { rooms: unknown }).rooms }) // only counts are published here
  counts = new RoomCounts({ publisher, connectionsOf: () => [], ownCounts: () => [] })
})

const setSize = (roomId: RoomId, size: number) => counts.setSize(roomId, size)
const changesOf = (stream: string) => published.filter((event) => event.stream === stream).map(({ rooms }) => rooms)
const publish = () => {
  published = []
  counts.publishChanges()
}

describe('room counts', () => {
  it('[ROOM-13] publishes the rooms that changed as one event, and nothing without a change', () => {
    for (const roomId of [1, 2, 3]) setSize(roomId, roomId)
    publish()
    setSize(2, 7)
    publish()
    expect(changesOf(roomCountStream)).toEqual([[{ roomId: 2, activeUsers: 7 }]])
    publish()
    expect(published).toEqual([])
  })

  it('[ROOM-13] publishes the 50 busiest rooms, and a room that leaves them once more', () => {
    for (let roomId = 1; roomId <= 2 * BUSIEST_ROOMS; roomId++) setSize(roomId, roomId)
    publish()
    expect(changesOf(busiestRoomCountStream)[0]).toHaveLength(BUSIEST_ROOMS)
    expect(changesOf(roomCountStream)[0]).toHaveLength(2 * BUSIEST_ROOMS)
    setSize(1, 2)
    publish()
    expect([changesOf(busiestRoomCountStream), changesOf(roomCountStream)]).toEqual([
      [],
      [[{ roomId: 1, activeUsers: 2 }]],
    ])
    setSize(100, 3)
    publish()
    expect(changesOf(busiestRoomCountStream)).toEqual([[{ roomId: 100, activeUsers: 3 }]])
    setSize(100, 4)
    publish()
    expect(changesOf(busiestRoomCountStream)).toEqual([])
  })

  it('[ROOM-13] publishes a count that changed and changed back, which a watcher may have seen in between', () => {
    setSize(1, 2)
    publish()
    setSize(1, 3)
    expect(counts.watch(new Connection(silent, 1), 'all')).toEqual([{ roomId: 1, activeUsers: 3 }])
    setSize(1, 2)
    publish()
    expect(changesOf(roomCountStream)).toEqual([[{ roomId: 1, activeUsers: 2 }]])
  })

  it('[ROOM-13] answers a watcher with the present counts of its scope', () => {
    for (let roomId = 1; roomId <= 60; roomId++) setSize(roomId, roomId)
    const connection = new Connection(silent, 1)
    expect(counts.watch(connection, 'all')).toHaveLength(60)
    expect(counts.watch(connection, 'busiest').map(({ roomId }) => roomId)).toEqual(
      Array.from({ length: BUSIEST_ROOMS }, (_, index) => index + 11),
    )
    expect([...connection.streams]).toEqual([busiestRoomCountStream])
    expect([counts.watch(connection, 'none'), [...connection.streams]]).toEqual([[], []])
  })
})
