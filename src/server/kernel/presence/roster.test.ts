import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { compareNames } from '../../../shared/presence/name-order.ts'
import { Connection } from '../live/connection.ts'
import { Roster } from './roster.ts'

const silent = { send() {}, bufferedBytes: () => 0, ping() {}, close() {} }
const connect = () => new Connection(silent, 1)

let published: string[]
let roster: Roster

beforeEach(() => {
  vi.useFakeTimers()
  published = []
  roster = new Roster(
    {
      onJoin: ({ username }) => published.push(`+${username}`),
      onLeave: ({ username }) => published.push(`-${username}`),
      onOnlineChange: ({ username, isOnline }) => published.push(`${isOnline ? 'on' : 'off'} ${username}`),
      onUpdate: ({ username, role }) => published.push(`${username} is ${role}`),
      sendSnapshot: (to, shown) =>
        published.push(
          `snapshot to ${to === 'everyone' ? to : [...to].length}: ${shown.page(null).length} of ${shown.size}`,
        ),
    },
    Date.now,
  )
})
afterEach(() => vi.useRealTimers())

const settle = () => vi.advanceTimersByTime(250)

describe('a roster', () => {
  it('[PRES-01] counts users, not connections', () => {
    const [phone, laptop] = [connect(), connect()]
    roster.addConnection(phone, createPerson(1))
    roster.addConnection(laptop, createPerson(1))
    expect(roster.size).toBe(1)
    roster.removeConnection(phone, 1, 'left')
    settle()
    expect(roster.has(1)).toBe(true)
    roster.removeConnection(laptop, 1, 'left')
    expect(roster.size).toBe(0)
  })

  it('[PRES-04] publishes the net change of 250 ms, and a snapshot to newcomers', () => {
    const first = connect()
    roster.addConnection(connect(), createPerson(1))
    roster.addConnection(first, createPerson(2))
    roster.removeConnection(first, 2, 'left')
    expect(published).toEqual([])
    settle()
    expect(published).toEqual(['+kişi1', 'snapshot to 1: 1 of 1'])
  })

  it('[PRES-04] [PRES-08] publishes more than 50 changes as one snapshot', () => {
    for (let id = 1; id <= 51; id++) roster.addConnection(connect(), createPerson(id))
    settle()
    expect(published).toEqual(['snapshot to everyone: 51 of 51'])
  })

  it('[PRES-08] sends everyone one snapshot a second while thousands enter, and newcomers theirs at once', () => {
    for (let second = 0; second < 2; second++) {
      for (let quarter = 0; quarter < 4; quarter++) {
        for (let one = 1; one <= 60; one++)
          roster.addConnection(connect(), createPerson(second * 1000 + quarter * 100 + one))
        settle()
      }
    }
    vi.advanceTimersByTime(2_000)
    expect(published).toEqual([
      'snapshot to everyone: 60 of 60',
      'snapshot to 60: 100 of 120',
      'snapshot to 60: 100 of 180',
      'snapshot to 60: 100 of 240',
      'snapshot to everyone: 100 of 300',
      'snapshot to 60: 100 of 360',
      'snapshot to 60: 100 of 420',
      'snapshot to 60: 100 of 480',
      'snapshot to everyone: 100 of 480',
    ])
  })

  it('[PRES-05] [ROOM-12] lists 100 users by name, and pages the rest', () => {
    for (let id = 1; id <= 250; id++)
      roster.addConnection(connect(), createPerson(id, `ad${String(id).padStart(3, '0')}`))
    settle()
    expect(published).toEqual(['snapshot to everyone: 100 of 250'])
    const pages = [roster.page(null)]
    for (let last = pages[0]?.at(-1); last; last = pages.at(-1)?.at(-1)) pages.push(roster.page(null, last.username))
    expect(pages.flat().map(({ id }) => id)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1))
  })

  it('withUser contains the entering user in order, counted once', () => {
    for (const [index, name] of ['cem', 'zeynep'].entries())
      roster.addConnection(connect(), createPerson(index + 1, name))
    const shown = roster.withUser(createPerson(3, 'ipek'))
    expect([shown.users.map(({ username }) => username), shown.total]).toEqual([['cem', 'ipek', 'zeynep'], 3])
    expect(roster.withUser(createPerson(1, 'cem'))).toMatchObject({ total: 2 })
    expect(roster.size).toBe(2)
  })

  it('sorts names by Turkish collation', () => {
    for (const [index, name] of ['zeynep', 'çiğdem', 'ışıl', 'ipek', 'cem'].entries())
      roster.addConnection(connect(), createPerson(index + 1, name))
    expect(roster.page(null).map(({ username }) => username)).toEqual(['cem', 'çiğdem', 'ışıl', 'ipek', 'zeynep'])
  })

  it('[PRES-05] stays sorted when users enter, leave or change their names', () => {
    const id = fc.integer({ min: 1, max: 12 })
    const change = fc.record({
      id,
      name: fc.constantFrom('ışıl', 'ipek', 'çiğdem', 'cem', null),
      settles: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const here = new Map<number, { name: string; connection: Connection }>()
        const changing = new Roster(
          { onJoin() {}, onLeave() {}, onOnlineChange() {}, onUpdate() {}, sendSnapshot() {} },
          Date.now,
        )
        for (const { id, name, settles } of changes) {
          const { connection = connect() } = here.get(id) ?? {}
          here.delete(id)
          if (name === null) changing.removeConnection(connection, id, 'left')
          else {
            changing.addConnection(connection, createPerson(id, name + id))
            here.set(id, { name: name + id, connection })
          }
          if (settles) settle()
        }
        settle()
        const names = [...here.values()].map(({ name }) => name).sort(compareNames)
        expect(changing.page(null).map(({ username }) => username)).toEqual(names)
        expect(changing.search(null, {}).users.map(({ username }) => username)).toEqual(names)
      }),
    )
  })

  it('[PRES-06] shows a broken connection as offline first, and as left after three seconds', () => {
    const connection = connect()
    roster.addConnection(connection, createPerson(1))
    settle()
    roster.removeConnection(connection, 1, 'disconnected')
    settle()
    expect(published.slice(2)).toEqual(['off kişi1'])
    vi.advanceTimersByTime(3_000)
    expect(published.slice(3)).toEqual(['-kişi1'])
  })

  it('publishes nothing for a reload, and the stay continues', () => {
    const connection = connect()
    roster.addConnection(connection, createPerson(1))
    vi.advanceTimersByTime(9_000)
    published = []
    roster.removeConnection(connection, 1, 'disconnected')
    vi.advanceTimersByTime(100)
    roster.addConnection(connect(), createPerson(1))
    vi.advanceTimersByTime(5_000)
    expect(published).toEqual(['snapshot to 1: 1 of 1'])
    expect(roster.dwellMs(1)).toBe(14_100)
  })

  it('starts a new stay for a user who returns, unless by a resume within two minutes', () => {
    const connection = connect()
    const enteredAt = Date.now()
    roster.addConnection(connection, createPerson(1))
    roster.removeConnection(connection, 1, 'disconnected')
    vi.advanceTimersByTime(60_000)
    const again = connect()
    roster.addConnection(again, createPerson(1))
    expect(roster.dwellMs(1)).toBe(0)
    roster.removeConnection(again, 1, 'disconnected')
    vi.advanceTimersByTime(60_000)
    roster.addConnection(connect(), createPerson(1), Date.now())
    expect(roster.dwellMs(1)).toBe(Date.now() - enteredAt - 60_000)
  })

  it('starts a new stay after a deliberate leave, also with a resume', () => {
    const connection = connect()
    roster.addConnection(connection, createPerson(1))
    vi.advanceTimersByTime(60_000)
    roster.removeConnection(connection, 1, 'left')
    roster.addConnection(connect(), createPerson(1), Date.now())
    expect(roster.dwellMs(1)).toBe(0)
  })

  it('starts a new stay for a resume without an interrupted stay', () => {
    roster.addConnection(connect(), createPerson(1), Date.now())
    expect(roster.dwellMs(1)).toBe(0)
  })

  it('[PRES-11] publishes a changed user summary once, from any connection', () => {
    roster.addConnection(connect(), createPerson(1, 'ada'))
    settle()
    published = []
    const admin = { role: 'rootadmin', lastLoginPlatform: 'mobile' } as const
    roster.addConnection(connect(), createPerson(1, 'ada', admin))
    settle()
    expect(published).toEqual(['ada is rootadmin', 'snapshot to 1: 1 of 1'])
    roster.addRemote('b', createPerson(1, 'ada', admin), 0)
    roster.addRemote('b', createPerson(1, 'ada', { ...admin, gender: 'female' }), 0)
    settle()
    expect(published.slice(2)).toEqual(['ada is rootadmin'])
    expect(roster.page(null)).toEqual([createPerson(1, 'ada', { ...admin, gender: 'female' })])
  })

  it('[PRES-12] searches by part of the folded name and by gender, in pages', () => {
    const genders = ['female', 'male', 'other', null] as const
    const names = ['IŞIL', 'ışık', 'Kişi', 'ayşe']
    for (const [index, name] of names.entries()) {
      roster.addConnection(connect(), createPerson(index + 1, name, { gender: genders[index] ?? null }))
    }
    for (let id = 10; id < 160; id++)
      roster.addConnection(connect(), createPerson(id, `kalabalık${id}`, { gender: 'male' }))
    settle()
    const found = (search?: string, gender?: 'female' | 'male', after?: string) => {
      const { users, total } = roster.search(null, { search, gender }, after)
      return [users.map(({ username }) => username).join(' '), total]
    }
    expect(found(' işi ')).toEqual(['ışık IŞIL Kişi', 3])
    expect(found('IŞIL')).toEqual(['IŞIL', 1])
    expect(found('yok')).toEqual(['', 0])
    expect(found('ş', 'female')).toEqual(['IŞIL', 1])
    expect(found('', 'female')).toEqual(['IŞIL', 1])
    expect(roster.search(null, { search: 'KALABALIK' })).toMatchObject({ total: 150, users: { length: 100 } })
    const second = roster.search(
      null,
      { search: 'KALABALIK' },
      roster.search(null, { search: 'KALABALIK' }).users.at(-1)?.username,
    )
    expect(second).toMatchObject({ total: 150, users: { length: 50 } })
  })
})
