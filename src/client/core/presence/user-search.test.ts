import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { compareNames } from '../../../shared/presence/name-order.ts'
import { matchesFilter, type PeopleFilter } from '../../../shared/presence/rules.ts'
import { flushPromises } from '../platform/testing/fake-environment.ts'
import type { PeoplePage } from './paged-people.ts'
import { UserSearch } from './user-search.ts'

interface PendingRequest {
  filter: PeopleFilter
  after: string | undefined
  answer(page: PeoplePage | null): Promise<void>
}

let requests: PendingRequest[]
let userSearch: UserSearch
beforeEach(() => {
  requests = []
  userSearch = new UserSearch({
    fetchPage: (filter, after) =>
      new Promise((resolve) => {
        const answer = (page: PeoplePage | null) => {
          resolve(page)
          return flushPromises()
        }
        requests.push({ filter, after, answer })
      }),
    compareNames: compareNames,
  })
})

const [ada, can, ece, işıl] = ['ada', 'can', 'ece', 'ışıl'].map((name, index) => createPerson(index + 1, name)) as [
  Person,
  Person,
  Person,
  Person,
]
const page = (users: Person[], total: number | null = users.length, next: string | null = null) => ({
  users,
  total,
  next,
})
const shown = () => {
  const { users, total, state } = userSearch.list.value
  return [users.map(({ username }) => username).join(' '), total, state]
}
const lastRequest = () => {
  const asking = requests.at(-1)
  if (!asking) throw new Error('nothing was asked')
  return asking
}

describe('UserSearch', () => {
  it('[PRES-12] shows only the last search, in whichever order answers arrive', async () => {
    userSearch.search({ search: 'a' })
    userSearch.search({ search: 'ı' })
    expect(shown()).toEqual(['', 0, 'loading'])
    await requests[1]?.answer(page([işıl]))
    await requests[0]?.answer(page([ada, can]))
    expect([requests.length, shown()]).toEqual([2, ['ışıl', 1, 'loaded']])
  })

  it('[PRES-12] loads each further page once, from the end of the last one', async () => {
    userSearch.search({})
    await lastRequest().answer(page([ada, can], 4, 'can'))
    const both = Promise.all([userSearch.loadRows(0, 3), userSearch.loadRows(0, 3)])
    expect(requests.map(({ after }) => after)).toEqual([undefined, 'can'])
    await lastRequest().answer(page([ece, işıl], 4, 'ışıl'))
    expect(await both).toEqual([true, true])
    expect(await userSearch.loadRows(0, 100)).toBe(true)
    expect([requests.length, shown()]).toEqual([2, ['ada can ece ışıl', 4, 'loaded']])
  })

  it('[PRES-10] loads on after a short page of an uncounted list', async () => {
    userSearch.search({ search: 'a' })
    await lastRequest().answer(page([], null, 'k'))
    expect(shown()).toEqual(['', 1, 'loaded'])
    const loading = userSearch.loadRows(0, 10)
    await lastRequest().answer(page([ada], null, null))
    expect([await loading, shown()]).toEqual([true, ['ada', 1, 'loaded']])
  })

  it('[PRES-20] reports a failed page, keeps the rows and can retry', async () => {
    userSearch.search({})
    await lastRequest().answer(null)
    expect(shown()).toEqual(['', 0, 'failed'])
    userSearch.refresh()
    await lastRequest().answer(page([ada], 2, 'ada'))
    const loading = userSearch.loadRows(0, 2)
    await lastRequest().answer(null)
    expect([await loading, shown()]).toEqual([false, ['ada', 2, 'failed']])
    const again = userSearch.loadRows(0, 2)
    await lastRequest().answer(page([can], 2, 'can'))
    expect([await again, shown()]).toEqual([true, ['ada can', 2, 'loaded']])
  })

  it('[PRES-14] keeps the rows until a refresh is answered', async () => {
    userSearch.search({})
    await lastRequest().answer(page([ada, can]))
    userSearch.refresh()
    expect(shown()).toEqual(['ada can', 2, 'loaded'])
    await lastRequest().answer(page([ece]))
    expect(shown()).toEqual(['ece', 1, 'loaded'])
  })

  it('[PRES-14] ignores changes after it was stopped', async () => {
    userSearch.search({ search: 'c' })
    await lastRequest().answer(page([can]))
    userSearch.stop()
    userSearch.addUser(ece)
    userSearch.refresh()
    expect([requests.length, shown()]).toEqual([1, ['can', 1, 'loaded']])
  })
})

describe('changes of users during a search', () => {
  it('[PRES-14] are applied when they match the filter', async () => {
    userSearch.search({ search: 'c', gender: 'female' })
    await lastRequest().answer(page([{ ...can, gender: 'female' }]))
    userSearch.addUser({ ...ece, gender: 'female' })
    userSearch.addUser({ ...createPerson(9, 'cem'), gender: 'male' })
    expect(shown()).toEqual(['can ece', 2, 'loaded'])
    userSearch.updateUser({ ...ece, gender: 'male' })
    userSearch.removeUser('can')
    expect(shown()).toEqual(['', 0, 'loaded'])
  })

  it('[PRES-11] update a row by id, with its online status', async () => {
    userSearch.search({})
    await lastRequest().answer(page([ada, can]))
    userSearch.setOnlineStatus('can', false)
    userSearch.updateUser({ ...ada, username: 'Zeynep', role: 'rootadmin' })
    const { users } = userSearch.list.value
    expect(users.map(({ username, isOnline, role }) => [username, isOnline, role])).toEqual([
      ['can', false, 'guest'],
      ['Zeynep', true, 'rootadmin'],
    ])
  })

  it('[PRES-14] load the first rows again when they become stale before they arrive', async () => {
    userSearch.search({ search: 'e' })
    const first = lastRequest()
    userSearch.updateUser(ece)
    await first.answer(page([]))
    await lastRequest().answer(page([ece]))
    expect(shown()).toEqual(['ece', 1, 'loaded'])
  })

  it('[PRES-14] outside the loaded rows change the total of a counted list', async () => {
    userSearch.search({ search: 'e' })
    await lastRequest().answer(page([createPerson(5, 'ebru')], 50, 'ebru'))
    userSearch.addUser(ece)
    expect(shown()).toEqual(['ebru', 51, 'loaded'])
    userSearch.removeUser('deren')
    userSearch.removeUser('orhan')
    expect(shown()).toEqual(['ebru', 50, 'loaded'])
  })

  const everyone = Array.from({ length: 12 }, (_, index) =>
    createPerson(index + 1, `${index % 2 ? 'Işık' : 'kişi'} ${index + 10}`, { gender: index % 3 ? 'male' : 'female' }),
  )

  it('[PRES-14] lead to the same list as a fresh search', async () => {
    const changes = fc.array(fc.constantFrom(...everyone), { maxLength: 40 })
    const filters = fc.constantFrom<PeopleFilter>(
      { search: 'IŞI' },
      { gender: 'male' },
      { search: 'ş', gender: 'female' },
    )
    await fc.assert(
      fc.asyncProperty(changes, filters, async (moves, filter) => {
        let here: Person[] = []
        userSearch.search(filter)
        await lastRequest().answer(page([]))
        for (const who of moves) {
          if (here.includes(who)) userSearch.removeUser(who.username)
          else userSearch.addUser(who)
          here = everyone.filter((one) => here.includes(one) !== (one === who))
        }
        const fresh = here.filter(matchesFilter(filter)).map(({ username }) => username)
        expect(shown().slice(0, 2)).toEqual([fresh.toSorted(compareNames).join(' '), fresh.length])
      }),
    )
  })
})
