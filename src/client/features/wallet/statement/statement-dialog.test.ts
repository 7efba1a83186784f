import { beforeEach, describe, expect, it } from 'vitest'
import type { StatementRow } from '../../../../shared/wallet/statement/statement.ts'
import { flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import { StatementList, type StatementPage } from './statement-dialog.tsx'

const row = (id: number): StatementRow => ({
  ...{ id, kind: 'load', description: 'Bakiye yükleme', amount: 1, balance: id, referenceId: id, createdAt: id },
})
const page = (ids: number[], next: number | null = null): StatementPage => ({ items: ids.map(row), next })

let requests: { before: number | null; answer(page: StatementPage | string): Promise<void> }[]
let statement: StatementList
const shownIds = () => statement.list.peek()?.items.map(({ id }) => id) ?? null
const answer = async (answered: StatementPage | string) => requests.shift()?.answer(answered)

beforeEach(() => {
  requests = []
  statement = new StatementList((before) => {
    const { promise, resolve } = Promise.withResolvers<StatementPage | string>()
    requests.push({
      before,
      answer: (answered) => {
        resolve(answered)
        return flushPromises()
      },
    })
    return promise
  })
})

describe('an open statement', () => {
  it('[LEDGER-16] appends older pages', async () => {
    void statement.load()
    await answer(page([9, 8], 8))
    void statement.load(8)
    expect(requests[0]?.before).toBe(8)
    await answer(page([7, 6]))
    expect(statement.list.peek()).toEqual(page([9, 8, 7, 6]))
  })

  it('[LEDGER-16] shows new movements above those that are known, and keeps the older pages', async () => {
    void statement.load()
    await answer(page([9, 8], 8))
    void statement.load(8)
    await answer(page([7, 6], 6))
    void statement.load()
    await answer(page([10, 9], 9))
    expect(statement.list.peek()).toEqual(page([10, 9, 8, 7, 6], 6))
  })

  it('[LEDGER-16] starts over when more happened than a page holds', async () => {
    void statement.load()
    await answer(page([3, 2], 2))
    void statement.load()
    await answer(page([9, 8], 8))
    expect(statement.list.peek()).toEqual(page([9, 8], 8))
  })

  it('[LEDGER-16] ignores a page that is older than the shown one', async () => {
    const [first, second] = [statement.load(), statement.load()]
    await requests[1]?.answer(page([2, 1]))
    await requests[0]?.answer(page([1]))
    await Promise.all([first, second])
    expect(shownIds()).toEqual([2, 1])
  })

  it('[LEDGER-16] keeps what is shown when a load fails', async () => {
    void statement.load()
    await answer(page([1]))
    const failed = statement.load()
    await answer('Olmadı.')
    expect(await failed).toBe('Olmadı.')
    expect(shownIds()).toEqual([1])
  })
})
