import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StarOption } from '../../../shared/wallet/options/protocol.ts'
import { OptionStore } from './option-store.ts'

const compare = (a: StarOption, b: StarOption) => a.amount - b.amount
const isListed = ({ status }: StarOption) => status === 'active'

type Change = { put: StarOption } | { remove: number }
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    put: fc.record({
      id: fc.integer({ min: 1, max: 6 }),
      amount: fc.integer({ min: 1, max: 5 }),
      status: fc.constantFrom('active', 'inactive'),
    }),
  }),
  fc.record({ remove: fc.integer({ min: 1, max: 6 }) }),
)

/** The server's list, to which the same changes are made. */
class OptionServer {
  private readonly options = new Map<number, StarOption>()

  apply(change: Change): void {
    if ('put' in change) this.options.set(change.put.id, change.put)
    else this.options.delete(change.remove)
  }

  list(): StarOption[] {
    return [...this.options.values()].filter(isListed).sort(compare)
  }
}

function applyTo(store: OptionStore<StarOption>, change: Change): void {
  if ('put' in change) store.put(change.put)
  else store.remove(change.remove)
}

const byId = (options: readonly StarOption[] | null) => options?.toSorted((a, b) => a.id - b.id)

describe('a list of options', () => {
  it('[OPTION-09] that was loaded and kept by events equals a new fetch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change), fc.array(change), async (before, after) => {
        const server = new OptionServer()
        const store = new OptionStore({ fetchOptions: async () => server.list(), compare, isListed })
        for (const one of before) server.apply(one)
        expect(await store.list.load()).toBe(true)
        for (const one of after) {
          server.apply(one)
          applyTo(store, one)
        }
        expect(byId(store.list.value.peek())).toEqual(byId(server.list()))
        expect(store.list.value.peek()).toEqual(store.list.value.peek()?.toSorted(compare))
      }),
    )
  })

  it('[OPTION-09] loads again when an event comes before the answer', async () => {
    const server = new OptionServer()
    const answers: PromiseWithResolvers<StarOption[]>[] = []
    const fetchOptions = () => {
      const answer = Promise.withResolvers<StarOption[]>()
      answers.push(answer)
      return answer.promise
    }
    const store = new OptionStore({ fetchOptions, compare, isListed })
    const loading = store.list.load()
    const stale = server.list()
    const added = { put: { id: 1, amount: 5, status: 'active' } } as const
    server.apply(added)
    applyTo(store, added)
    expect(store.list.value.peek()).toBeNull()
    answers[0]?.resolve(stale)
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.resolve(server.list())
    expect(await loading).toBe(true)
    expect(store.list.value.peek()).toEqual([added.put])
  })

  it('[OPTION-09] keeps what it has when a fetch fails', async () => {
    let isBroken = false
    const option: StarOption = { id: 1, amount: 5, status: 'active' }
    const store = new OptionStore({ fetchOptions: async () => (isBroken ? null : [option]), compare })
    await store.list.load()
    isBroken = true
    expect(await store.list.load()).toBe(false)
    expect(store.list.value.peek()).toEqual([option])
  })
})
