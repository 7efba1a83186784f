import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import type { HookHandlers } from './define-hooks.ts'
import { hookHandlers } from './hook-registry.ts'
import { siteStream } from './streams.ts'
import { WriterTransaction } from './transact.ts'

let base: TestDatabase
beforeEach(async () => {
  base = await openTestDatabase()
})
afterEach(() => base.close())

function beginWith(hooks: HookHandlers[]): WriterTransaction {
  const tx = new WriterTransaction(base.db, hooks)
  tx.begin(base.clock.now)
  return tx
}

it('finds the hooks that features fill in their own folders', () => {
  const filled = hookHandlers.flatMap((feature) => Object.keys(feature))
  expect(filled).toEqual(expect.arrayContaining(['onUserRemoved', 'onUserBanned']))
})

it('runs a hook of every feature that fills it, in the transaction of the command', () => {
  const calls: unknown[] = []
  const tx = beginWith([
    { onUserBanned: (own, input) => calls.push([own === tx, input]) },
    { onUserRemoved: () => calls.push('another hook') },
    { onUserBanned: () => calls.push('second') },
  ])
  tx.runHooks('onUserBanned', { userId: 7, message: 'x' })
  tx.rollback()
  expect(calls).toEqual([[true, { userId: 7, message: 'x' }], 'second'])
})

it('rolls back a command whose hook fails', () => {
  const payload = { isOn: true, message: 'x' }
  const tx = beginWith([
    {
      onUserBanned: () => {
        throw new Error('a hook failed')
      },
    },
  ])
  const work = () => {
    tx.emit({ stream: siteStream, name: 'serverMaintenance', payload })
    tx.runHooks('onUserBanned', { userId: 7, message: 'x' })
  }
  expect(() => tx.runInSavepoint(work, () => true)).toThrow('a hook failed')
  expect(tx.commit()).toEqual([])
})
