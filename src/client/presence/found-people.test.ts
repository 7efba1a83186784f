import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../shared/accounts/protocol.ts'
import { person } from '../../shared/accounts/testing/person.ts'
import { compareNames } from '../../shared/presence/order.ts'
import { matchesFilter, type PeopleFilter } from '../../shared/presence/rules.ts'
import { settled } from '../live/testing/fake-environment.ts'
import { FoundPeople } from './found-people.ts'
import type { PeoplePage } from './paged-people.ts'

interface Asked {
  filter: PeopleFilter
  after: string | undefined
  answer(page: PeoplePage | null): Promise<void>
}

let asked: Asked[]
let found: FoundPeople
beforeEach(() => {
  asked = []
  found = new FoundPeople({
    ask: (filter, after) =>
      new Promise((resolve) => {
        const answer = (page: PeoplePage | null) => {
          resolve(page)
          return settled()
        }
        asked.push({ filter, after, answer })
      }),
    order: compareNames,
  })
})

const [ada, can, ece, işıl] = ['ada', 'can', 'ece', 'ışıl'].map((name, index) => person(index + 1, name)) as [
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
  const { users, total, state } = found.list.value
  return [users.map(({ username }) => username).join(' '), total, state]
}
const last = () => {
  const asking = asked.at(-1)
  if (!asking) throw new Error('nothing was asked')
  return asking
}

describe('people that the server finds', () => {
  it('[PRES-12] shows those of the last search alone, whichever answer comes last', async () => {
    found.look({ search: 'a' })
    found.look({ search: 'ı' })
    expect(shown()).toEqual(['', 0, 'looking'])
    await asked[1]?.answer(page([işıl]))
    await asked[0]?.answer(page([ada, can]))
    expect([asked.length, shown()]).toEqual([2, ['ışıl', 1, 'shown']])
  })

  it('[PRES-12] loads further pages from where the last one ended, once at a time, as far as is asked for', async () => {
    found.look({})
    await last().answer(page([ada, can], 4, 'can'))
    const both = Promise.all([found.loadRows(0, 3), found.loadRows(0, 3)])
    expect(asked.map(({ after }) => after)).toEqual([undefined, 'can'])
    await last().answer(page([ece, işıl], 4, 'ışıl'))
    expect(await both).toEqual([true, true])
    expect(await found.loadRows(0, 100)).toBe(true)
    expect([asked.length, shown()]).toEqual([2, ['ada can ece ışıl', 4, 'shown']])
  })

  it('[PRES-10] goes on where nobody counts and a page came with fewer', async () => {
    found.look({ search: 'a' })
    await last().answer(page([], null, 'k'))
    expect(shown()).toEqual(['', 1, 'shown'])
    const loading = found.loadRows(0, 10)
    await last().answer(page([ada], null, null))
    expect([await loading, shown()]).toEqual([true, ['ada', 1, 'shown']])
  })

  it('[PRES-20] says when a page did not come, keeps what is there, and can be asked again', async () => {
    found.look({})
    await last().answer(null)
    expect(shown()).toEqual(['', 0, 'failed'])
    found.lookAgain()
    await last().answer(page([ada], 2, 'ada'))
    const loading = found.loadRows(0, 2)
    await last().answer(null)
    expect([await loading, shown()]).toEqual([false, ['ada', 2, 'failed']])
    const again = found.loadRows(0, 2)
    await last().answer(page([can], 2, 'can'))
    expect([await again, shown()]).toEqual([true, ['ada can', 2, 'shown']])
  })

  it('[PRES-14] keeps what is shown until a look anew has been answered', async () => {
    found.look({})
    await last().answer(page([ada, can]))
    found.lookAgain()
    expect(shown()).toEqual(['ada can', 2, 'shown'])
    await last().answer(page([ece]))
    expect(shown()).toEqual(['ece', 1, 'shown'])
  })

  it('[PRES-14] takes no notice of anybody while nobody looks', async () => {
    found.look({ search: 'c' })
    await last().answer(page([can]))
    found.stop()
    found.joined(ece)
    found.lookAgain()
    expect([asked.length, shown()]).toEqual([1, ['can', 1, 'shown']])
  })
})

describe('people who come, go and change', () => {
  it('[PRES-14] are followed where the filter lets them through', async () => {
    found.look({ search: 'c', gender: 'female' })
    await last().answer(page([{ ...can, gender: 'female' }]))
    found.joined({ ...ece, gender: 'female' })
    found.joined({ ...person(9, 'cem'), gender: 'male' })
    expect(shown()).toEqual(['can ece', 2, 'shown'])
    found.updated({ ...ece, gender: 'male' })
    found.left('can')
    expect(shown()).toEqual(['', 0, 'shown'])
  })

  it('[PRES-11] are shown anew, by id, and online or not', async () => {
    found.look({})
    await last().answer(page([ada, can]))
    found.statusChanged('can', false)
    found.updated({ ...ada, username: 'Zeynep', role: 'rootadmin' })
    const { users } = found.list.value
    expect(users.map(({ username, isOnline, role }) => [username, isOnline, role])).toEqual([
      ['can', false, 'guest'],
      ['Zeynep', true, 'rootadmin'],
    ])
  })

  it('[PRES-14] beyond what is loaded are counted, where somebody counts', async () => {
    found.look({ search: 'e' })
    await last().answer(page([person(5, 'ebru')], 50, 'ebru'))
    found.joined(ece)
    expect(shown()).toEqual(['ebru', 51, 'shown'])
    found.left('deren')
    found.left('orhan')
    expect(shown()).toEqual(['ebru', 50, 'shown'])
  })

  const everyone = Array.from({ length: 12 }, (_, index) =>
    person(index + 1, `${index % 2 ? 'Işık' : 'kişi'} ${index + 10}`, { gender: index % 3 ? 'male' : 'female' }),
  )

  it('[PRES-14] a list and the events are what a fresh look would find', async () => {
    const changes = fc.array(fc.constantFrom(...everyone), { maxLength: 40 })
    const filters = fc.constantFrom<PeopleFilter>(
      { search: 'IŞI' },
      { gender: 'male' },
      { search: 'ş', gender: 'female' },
    )
    await fc.assert(
      fc.asyncProperty(changes, filters, async (moves, filter) => {
        let here: Person[] = []
        found.look(filter)
        await last().answer(page([]))
        for (const who of moves) {
          if (here.includes(who)) found.left(who.username)
          else found.joined(who)
          here = everyone.filter((one) => here.includes(one) !== (one === who))
        }
        const fresh = here.filter(matchesFilter(filter)).map(({ username }) => username)
        expect(shown().slice(0, 2)).toEqual([fresh.toSorted(compareNames).join(' '), fresh.length])
      }),
    )
  })
})
