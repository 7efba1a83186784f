import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Connection } from '../../../server/kernel/live/connection.ts'
import { Roster } from '../../../server/kernel/presence/roster.ts'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { compareNames } from '../../../shared/presence/name-order.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import { ADA } from '../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'

const silent = { send() {}, bufferedBytes: () => 0, ping() {}, close() {} }
const roomId = 1
const range = { first: fc.nat(600), count: fc.integer({ min: 1, max: 300 }) }

/** What may happen next: to a few or to many people, to the list on the screen, or to the time. */
const happening = fc.oneof(
  fc.record({ what: fc.constantFrom('join' as const, 'leave' as const, 'lose' as const), ...range }),
  fc.record({
    what: fc.constantFrom('join' as const, 'leave' as const, 'rename' as const),
    first: range.first,
    count: fc.constant(1),
  }),
  fc.record({ what: fc.constant('look' as const), first: range.first, count: fc.constant(20) }),
  fc.record({ what: fc.constant('answer' as const), first: fc.constant(0), count: fc.constant(1) }),
  fc.record({ what: fc.constant('wait' as const), first: fc.constantFrom(100, 250, 1_000), count: fc.constant(1) }),
)
type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never

/** A room of the real server; Ada's browser scrolls through its user list. */
class Room {
  readonly environment = new FakeEnvironment()
  readonly client = new RoomHarness(this.environment)
  private readonly own = new Connection(silent, 1)
  private readonly connections = new Map<number, Connection>()
  private names = 0
  private readonly roster = new Roster(
    {
      onJoin: (user) => this.tell('user-joined', { roomId, user }),
      onLeave: ({ username }) => this.tell('user-left', { roomId, username }),
      onOnlineChange: ({ username, isOnline }) => this.tell('userStatusChanged', { username, isOnline }),
      onUpdate: (user) => this.tell('userUpdated', { user }),
      sendSnapshot: (to, { size: total }) => {
        const users = this.roster.page(null)
        if (to === 'everyone' || [...to].includes(this.own)) this.tell('users-in-room', { roomId, users, total })
      },
    },
    Date.now,
  )

  async open(): Promise<void> {
    this.roster.addConnection(this.own, ADA)
    this.many(0, 250, (id) => this.join(id))
    await this.client.openRoom(createRoomPage(this.roster.withUser(ADA)))
    vi.advanceTimersByTime(250)
  }

  async happen({ what, first, count }: Happening): Promise<void> {
    if (what === 'join') this.many(first, count, (id) => this.join(id))
    else if (what === 'leave') this.many(first, count, (id) => this.leave(id, 'left'))
    else if (what === 'lose') this.many(first, count, (id) => this.leave(id, 'disconnected'))
    else if (what === 'rename') this.many(first, count, (id) => this.rename(id))
    else if (what === 'look') void this.client.roomUsers.loadRows(first, first + count)
    else if (what === 'wait') vi.advanceTimersByTime(first)
    else this.answer()
    await flushPromises()
  }

  /** Everything that is under way ends, and these rows come into view. */
  async rest(first: number, last: number): Promise<void> {
    vi.advanceTimersByTime(10_000)
    let isDone = false
    const loading = this.client.roomUsers.loadRows(first, last).then((isThere) => {
      expect(isThere).toBe(true)
      isDone = true
    })
    for (let step = 0; step < 50 && !isDone; step++) {
      this.answer()
      await flushPromises()
    }
    await loading
  }

  /** Everyone, as somebody who comes now would find them. */
  fresh() {
    const pages = [this.roster.page(null)]
    for (let last = pages[0]?.at(-1); last; last = pages.at(-1)?.at(-1))
      pages.push(this.roster.page(null, last.username))
    return pages.flat()
  }

  private many(first: number, count: number, change: (id: number) => void): void {
    for (let id = first; id < first + count; id++) change(id + 1_000)
  }

  private join(id: number): void {
    const connection = this.connections.get(id) ?? new Connection(silent, 1)
    this.connections.set(id, connection)
    this.roster.addConnection(connection, createPerson(id, `kişi ${(id * 7919) % 1000}`))
  }

  private leave(id: number, how: 'left' | 'disconnected'): void {
    const connection = this.connections.get(id)
    if (connection) this.roster.removeConnection(connection, id, how)
    this.connections.delete(id)
  }

  private rename(id: number): void {
    const connection = this.connections.get(id)
    const username = `${++this.names % 2 ? 'ayşe' : 'zeynep'} ${this.names}`
    if (connection) this.roster.addConnection(connection, createPerson(id, username, { role: 'member' }))
  }

  /** Answers all pending requests. Answers and events arrive in the server's order. */
  private answer(): void {
    const { transport } = this.environment
    for (const value of transport.sent.splice(0)) {
      if (value[0] !== Kind.request || value[2] !== 'getRoomUsers') continue
      transport.receive([
        Kind.answer,
        value[1],
        { roomId, ...this.roster.search(null, {}, value[3].after as string | undefined) },
      ])
    }
  }

  private tell(name: string, payload: object): void {
    this.environment.transport.receive([Kind.ephemeral, name, { ...payload }])
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('[PRES-14] [ROOM-12] rows in view, count and, after loading, the whole list equal a fresh fetch', async () => {
  const run = fc.asyncProperty(fc.array(happening, { maxLength: 40 }), fc.nat(600), async (happenings, first) => {
    const room = new Room()
    await room.open()
    for (const next of happenings) await room.happen(next)
    await room.rest(first, first + 20)
    const { list } = room.client.roomUsers
    const fresh = room.fresh()
    expect(list.peek().total).toBe(fresh.length)
    const inView = list.peek().users.slice(first, first + 20)
    const start = fresh.findIndex(({ id }) => id === inView[0]?.id)
    expect(inView).toEqual(inView.length ? fresh.slice(start, start + inView.length) : [])
    await room.rest(0, fresh.length)
    expect(list.peek()).toEqual({ users: fresh, total: fresh.length, isComplete: true, state: 'loaded' })
    expect([...fresh].sort((a, b) => compareNames(a.username, b.username))).toEqual(fresh)
  })
  await fc.assert(run, { numRuns: 60 })
})
