import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../kernel/config.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'

const DAY_MS = 24 * 60 * 60_000
const keptMs = 180 * DAY_MS

describe('messages of rooms that are too old', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
    database.addMember('ada')
  })
  afterEach(() => database.close())

  function addMessages(count: number, ageDays: number, mediaId: number | null = null): void {
    const insert = database.db.prepare(
      'insert into message (roomId, senderId, content, consecutiveCount, clientId, createdAt, mediaId) values (1, 1, ?, 1, ?, ?, ?)',
    )
    const createdAt = database.clock.now - ageDays * DAY_MS
    for (let index = 0; index < count; index++) insert.run(`söz ${index}`, crypto.randomUUID(), createdAt, mediaId)
  }
  function addMedia(): number {
    const values = "1, 'image', 'a.webp', null, 1, 1, 1, null, null, null, 0, ?, null"
    return Number(
      database.db.prepare(`insert into roomMedia values (null, ${values})`).run(crypto.randomUUID()).lastInsertRowid,
    )
  }
  const trim = () => database.run({ command: 'trimRoomMessages', input: { keptMs } }).answer
  const count = (table: string) => database.db.prepare(`select count(*) from ${table}`).pluck().get()

  it('[CHAT-48] are deleted in steps of 500, oldest first, and newer ones stay', () => {
    addMessages(1_200, 181)
    addMessages(3, 179)
    database.run({ command: 'indexMessages', input: {} })
    expect([trim(), trim(), trim(), trim()]).toEqual([500, 500, 200, 0].map((removed) => ({ removed })))
    expect([count('message'), count('messageWord')]).toEqual([3, 0])
  })

  it('[CHAT-48] go with their files, and the newest of all stays', () => {
    const mediaId = addMedia()
    addMedia()
    addMessages(2, 200, mediaId)
    expect(trim()).toEqual({ removed: 1 })
    expect(database.run({ command: 'deleteUnusedRoomMedia', input: {} }).answer).toEqual({ removed: 0 })
    addMessages(1, 0)
    expect([trim(), count('message')]).toEqual([{ removed: 1 }, 1])
    database.run({ command: 'deleteUnusedRoomMedia', input: {} })
    expect(database.db.prepare('select id from roomMedia').pluck().all()).toEqual([mediaId + 1])
  })

  it('[CHAT-48] are those older than the setting says', () => {
    const env = { MEYDAN_DATA: 'data', NODE_ENV: 'test' }
    expect(readConfig(env).roomMessagesKeptMs).toBe(keptMs)
    expect(readConfig({ ...env, MEYDAN_ROOM_MESSAGES_DAYS: '30' }).roomMessagesKeptMs).toBe(30 * DAY_MS)
    expect(() => readConfig({ ...env, MEYDAN_ROOM_MESSAGES_DAYS: '0' })).toThrow('MEYDAN_ROOM_MESSAGES_DAYS')
  })
})
