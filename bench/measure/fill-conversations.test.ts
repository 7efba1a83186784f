import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openForWriting } from '../../src/server/kernel/database/open.ts'
import { fillConversations } from './fill-conversations.ts'
import { fillDatabase } from './fill-database.ts'

it('fills conversations of the present schema, each with its last message on both sides', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meydan-fill-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await fillDatabase(join(folder, 'filled.db'), { messages: 1, rooms: 2 })
  const db = openForWriting(join(folder, 'filled.db'))
  onTestFinished(() => void db.close())
  const { userId } = fillConversations(db, { ownerId: 1, conversations: 3, messages: 30 })
  const count = (sql: string) => db.prepare(`select count(*) from ${sql}`).pluck().get()
  expect([count('conversation'), count('directMessage'), count('conversationSide')]).toEqual([3, 30, 6])
  expect(count(`directMessage where senderId = ${userId}`)).toBe(5)
  expect(count('conversationSide where lastMessageId is not null')).toBe(6)
  expect(db.pragma('foreign_key_check')).toEqual([])
})
