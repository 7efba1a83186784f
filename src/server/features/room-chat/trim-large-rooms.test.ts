import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '../../kernel/app-context.ts'
import { readConfig } from '../../kernel/config.ts'
import type { AnySlowRead } from '../../kernel/database/slow-read.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { MESSAGE_OVERHEAD_BYTES } from './measure-rooms.ts'
import { trimLargeRooms } from './trim-large-rooms.ts'

const TEXT = 'ğ'.repeat(400)
const MESSAGE_BYTES = 2 * TEXT.length + MESSAGE_OVERHEAD_BYTES

describe('messages of a room that is too large', () => {
  let database: TestDatabase
  let reads: string[]
  let steps: unknown[]
  beforeEach(async () => {
    database = await openTestDatabase()
    database.addMember('ada')
    reads = []
    steps = []
  })
  afterEach(() => database.close())

  /** Numbers them from 1 on, by their time. */
  function addMessages(roomId: number, count: number, mediaId: number | null = null): void {
    const insert = database.db.prepare(
      'insert into message (roomId, senderId, content, consecutiveCount, clientId, createdAt, mediaId) values (?, 1, ?, 1, ?, ?, ?)',
    )
    database.db.transaction(() => {
      for (let number = 1; number <= count; number++) insert.run(roomId, TEXT, crypto.randomUUID(), number, mediaId)
    })()
  }
  const keptIn = (roomId: number) =>
    database.db.prepare('select count(*), min(createdAt) from message where roomId = ?').raw().get(roomId)
  const count = (table: string) => database.db.prepare(`select count(*) from ${table}`).pluck().get()

  /** The services of a region on this database, without threads. */
  const context = {
    readInWorker: (read: AnySlowRead, input: never) => {
      reads.push(read.name)
      return Promise.resolve(read(database.read, input))
    },
    execute: ({ name: command }: { name: string }, _: null, input: object) => {
      const { answer } = database.run({ command, input })
      steps.push(answer)
      return Promise.resolve(answer)
    },
  } as unknown as AppContext // all that the job uses
  const trim = (maxMessages: number) => trimLargeRooms(context, maxMessages * MESSAGE_BYTES)

  it('[CHAT-60] are deleted from the oldest on, in steps, until the room takes no more than it may', async () => {
    addMessages(1, 5_000)
    addMessages(2, 4_200)
    await trim(4_200)
    expect([keptIn(1), keptIn(2)]).toEqual([
      [4_200, 801],
      [4_200, 1],
    ])
    expect(steps).toEqual([500, 300, 0].map((removed) => ({ removed })))
    await trim(4_200)
    expect(steps).toHaveLength(3)
  })

  it('[CHAT-60] go with their words and files, and a small room is not measured', async () => {
    const media = "null, 1, 'image', 'a.webp', null, 1, 1, 1, null, null, null, 0, 'm', null"
    database.db.prepare(`insert into roomMedia values (${media})`).run()
    addMessages(1, 1, 1)
    addMessages(1, 30)
    addMessages(2, 3)
    database.run({ command: 'indexMessages', input: {} })
    expect(count('messageWord')).toBe(34)
    await trim(30)
    expect([keptIn(1), keptIn(2), count('messageWord')]).toEqual([[30, 1], [3, 1], 33])
    expect(database.db.prepare('select expiresAt is null from roomMedia').pluck().get()).toBe(0)
    expect(reads).toEqual(['findLargeRooms', 'measureRoomStep'])
  })

  it('[CHAT-60] are those beyond the setting', () => {
    const env = { MEYDAN_DATA: 'data', NODE_ENV: 'test' }
    expect(readConfig(env).roomMessagesMaxBytes).toBe(256 * 1024 * 1024)
    expect(readConfig({ ...env, MEYDAN_ROOM_MESSAGES_MB: '2' }).roomMessagesMaxBytes).toBe(2 * 1024 * 1024)
    expect(() => readConfig({ ...env, MEYDAN_ROOM_MESSAGES_MB: '0' })).toThrow('MEYDAN_ROOM_MESSAGES_MB')
  })
})
