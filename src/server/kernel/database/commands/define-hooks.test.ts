import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../testing/fixtures/test-database.ts'
import { siteStream } from '../events/streams.ts'
import { WriterTransaction } from '../transaction.ts'
import { Hook, type HookHandler } from './define-hooks.ts'

const onBan = new Hook<{ userId: number; message: string }>()
const onRemoval = new Hook<{ userId: number }>()

let base: TestDatabase
beforeEach(async () => {
  base = await openTestDatabase()
})
afterEach(() => base.close())

function beginWith(hooks: HookHandler[]): WriterTransaction {
  const tx = new WriterTransaction(base.db, hooks)
  tx.begin(base.clock.now)
  return tx
}

it('runs a hook of every feature that fills it, in the transaction of the command', () => {
  const calls: unknown[] = []
  const tx = beginWith([
    onBan.handledBy((own, input) => calls.push([own === tx, input])),
    onRemoval.handledBy(() => calls.push('another hook')),
    onBan.handledBy(() => calls.push('second')),
  ])
  tx.runHooks(onBan, { userId: 7, message: 'x' })
  tx.rollback()
  expect(calls).toEqual([[true, { userId: 7, message: 'x' }], 'second'])
})

it('rolls back a command whose hook fails', () => {
  const payload = { isOn: true, message: 'x' }
  const tx = beginWith([
    onBan.handledBy(() => {
      throw new Error('a hook failed')
    }),
  ])
  const work = () => {
    tx.emit({ stream: siteStream, name: 'serverMaintenance', payload })
    tx.runHooks(onBan, { userId: 7, message: 'x' })
  }
  expect(() => tx.runInSavepoint(work, () => true)).toThrow('a hook failed')
  expect(tx.commit()).toEqual([])
})
