import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openForReading } from '../../src/server/kernel/database/open.ts'
import { FIRST_FILLED_ROOM_ID, fillDatabase } from './fill-database.ts'

it('fills a database of the present schema, with the same share of messages in the first room', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meydan-fill-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await fillDatabase(join(folder, 'filled.db'), { messages: 500, rooms: 30 })
  const db = openForReading(join(folder, 'filled.db'))
  onTestFinished(() => void db.close())
  const count = (sql: string) => db.prepare(`select count(*) from ${sql}`).pluck().get()
  expect(count('room where isList = 1')).toBe(30)
  expect(count('message')).toBe(500)
  expect(count(`message where roomId = ${FIRST_FILLED_ROOM_ID}`)).toBe(50)
  expect(count('event')).toBe(500)
  expect(db.pragma('foreign_key_check')).toEqual([])
})
