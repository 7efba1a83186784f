import { describe, expect, it } from 'vitest'
import { refuse } from '../../../shared/protocol/refusals.ts'
import { SearchQueue } from './search-queue.ts'

/** Searches that the test ends, in the order in which they began. */
function openTurns() {
  const turns = new SearchQueue()
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    search: (userId: number, address: string | null) =>
      turns.run(userId, address, () => {
        begun.push(`${userId} ${address}`)
        return new Promise<string>((resolve) => ends.push(() => resolve('found')))
      }),
    /** Ends the search that is under way, and lets the next one begin. */
    async endOne() {
      ends.shift()?.()
      for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    },
  }
}

describe('the turns of searches', () => {
  it('[CHAT-52] has one search under way, and a bystander is next, however many searches of another user wait', async () => {
    const { begun, search, endOne } = openTurns()
    const searches = Array.from({ length: 20 }, () => search(1, 'a'))
    searches.push(search(2, 'b'))
    expect(begun).toEqual(['1 a'])
    await endOne()
    await endOne()
    expect(begun.slice(0, 3)).toEqual(['1 a', '1 a', '2 b'])
    for (let left = 0; left < 20; left++) await endOne()
    expect(await Promise.all(searches)).toEqual(Array(21).fill('found'))
  })

  it('[CHAT-52] counts the users of one address together', async () => {
    const { begun, search, endOne } = openTurns()
    for (let userId = 1; userId <= 20; userId++) void search(userId, 'a')
    void search(99, 'b')
    await endOne()
    await endOne()
    expect(begun).toContain('99 b')
  })

  it('[CHAT-52] lets 30 searches of a user and 60 of an address wait, refuses more with Busy, and goes on', async () => {
    const { search, endOne } = openTurns()
    void search(1, null)
    for (let waiting = 0; waiting < 30; waiting++) void search(1, null)
    expect(await search(1, null)).toEqual(refuse('Busy'))
    for (let userId = 100; userId < 160; userId++) void search(userId, 'a')
    expect(await search(200, 'a')).toEqual(refuse('Busy'))
    const bystander = search(300, 'b')
    for (let ended = 0; ended < 92; ended++) await endOne()
    expect(await bystander).toBe('found')
  })
})
