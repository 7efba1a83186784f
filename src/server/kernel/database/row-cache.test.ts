import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import type { WriteJob } from './writer.ts'

let base: TestDatabase
let ada: number
let can: number
let root: number

beforeEach(async () => {
  base = await openTestDatabase()
  ada = base.addMember('ada')
  can = base.addMember('can')
  root = base.addMember('kök', 'rootadmin')
})
afterEach(() => base.close())

const job = (userId: number, command: string, input: object): WriteJob => {
  return { id: 1, command, actor: { userId, sessionId: userId }, input, clientId: randomUUID() }
}
const send = (userId: number, content = 'söz') => {
  const created = job(userId, 'sendMessage', { roomId: 1, content, inRoomForMs: 60_000 })
  return { ...created, input: { ...created.input, clientId: created.clientId } }
}
const codes = (jobs: WriteJob[]) => base.writer.runBatch(jobs).results.map(({ refusal }) => refusal?.code ?? 'ok')
const OK_FOUR_TIMES = ['ok', 'ok', 'ok', 'ok']
const sendFourTimes = () => Array.from({ length: 4 }, () => send(ada))

describe('cached rows of the writer', () => {
  it('[CHAT-06] count the messages of the same batch and of the batch before', () => {
    expect(codes([send(ada), send(ada)])).toEqual(['ok', 'ok'])
    expect(codes([send(ada), send(ada), send(ada)])).toEqual(['ok', 'ok', 'TooManyInARow'])
    expect(codes([send(can), send(ada)])).toEqual(['ok', 'ok'])
  })

  it('[REG-10] are read again after another command of the batch', () => {
    const promote = job(root, 'changeRole', { username: 'ada', role: 'rootadmin' })
    expect(codes([...sendFourTimes(), send(ada), promote, send(ada)])).toEqual([
      ...OK_FOUR_TIMES,
      ...['TooManyInARow', 'ok', 'SessionEnded'],
    ])
    expect(codes([job(root, 'endSession', {}), send(root)])).toEqual(['ok', 'SessionEnded'])
  })

  it('[ROOM-06] are read again when another process has written', () => {
    expect(codes([send(ada)])).toEqual(['ok'])
    base.db.prepare('update room set isActive = 0 where id = 1').run()
    expect(codes([send(ada)])).toEqual(['RoomNotFound'])
    base.db.prepare('update room set isActive = 1 where id = 1').run()
    expect(codes([send(ada)])).toEqual(['ok'])
    base.db.prepare('delete from session where id = ?').run(ada)
    expect(codes([send(ada)])).toEqual(['SessionEnded'])
  })

  it('[CHAT-07] do not count a message that was rolled back', () => {
    base.db.exec(`create trigger failEvent before insert on event
      when exists (select 1 from message where content like 'Bozuk%') begin select raise(abort, 'bozuk'); end`)
    expect(codes([...sendFourTimes(), send(can, 'bozuk'), send(ada)])).toEqual([
      ...OK_FOUR_TIMES,
      ...['Failed', 'TooManyInARow'],
    ])
    expect(codes([send(can, 'bozuk'), send(ada)])).toEqual(['Failed', 'TooManyInARow'])
  })

  it('are read again after a batch that failed', () => {
    base.db.exec("create trigger failBatch before insert on event begin select raise(rollback, 'geri'); end")
    expect(codes(sendFourTimes())).toEqual(['Busy', 'Busy', 'Busy', 'Busy'])
    base.db.exec('drop trigger failBatch')
    expect(codes([...sendFourTimes(), send(ada)])).toEqual([...OK_FOUR_TIMES, 'TooManyInARow'])
  })
})
