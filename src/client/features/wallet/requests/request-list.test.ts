import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import type { MoneyRequest } from '../../../../shared/wallet/requests/request.ts'
import { EventHandlers } from '../../../core/live/event-handlers.ts'
import { FakeEnvironment } from '../../../core/platform/testing/fake-environment.ts'
import { RequestList, type RequestSource } from './request-list.ts'

const PAGE = 3
const names = ['starRequestCreated', 'starRequestApproved', 'starRequestRejected'] as const

/** The server's requests with its events; answers wait until they are let through. */
class RequestServer {
  requests: MoneyRequest[] = []
  readonly waiting: (() => void)[] = []
  readonly events = new EventHandlers(new FakeEnvironment())

  readonly source: RequestSource = {
    live: this.events,
    events: names,
    fetchPage: (before) => {
      const start = before === null ? 0 : this.requests.findIndex(({ id }) => id === Number(before)) + 1
      const items = this.requests.slice(start, start + PAGE)
      const next = this.requests.length > start + PAGE ? String(items.at(-1)?.id) : null
      return new Promise((resolve) => this.waiting.push(() => resolve({ items, next })))
    },
  }

  create(): void {
    const id = this.requests.length + 1
    const request: MoneyRequest = { id, amount: 100, status: 'pending', createdAt: id * 10 }
    this.requests = [request, ...this.requests]
    this.emit('starRequestCreated', request)
  }

  decide(id: number, status: 'approved' | 'rejected'): void {
    const request = this.requests.find((one) => one.id === id)
    if (request?.status !== 'pending') return
    const decided: MoneyRequest = { ...request, status }
    this.requests = this.requests.map((one) => (one.id === id ? decided : one))
    this.emit(status === 'approved' ? 'starRequestApproved' : 'starRequestRejected', decided)
  }

  async answer(): Promise<void> {
    for (const send of this.waiting.splice(0)) send()
    await new Promise((resolve) => setImmediate(resolve))
  }

  private emit(name: (typeof names)[number], request: MoneyRequest): void {
    this.events.deliver(name, request, null)
  }
}

type Step = { do: 'create' | 'load' | 'next' | 'answer' } | { do: 'decide'; id: number; isApproved: boolean }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('create', 'load', 'next', 'answer') }),
  fc.record({ do: fc.constant('decide' as const), id: fc.integer({ min: 1, max: 8 }), isApproved: fc.boolean() }),
)

async function take(one: Step, server: RequestServer, store: RequestList): Promise<void> {
  const next = store.list.peek()?.next ?? null
  if (one.do === 'create') server.create()
  else if (one.do === 'decide') server.decide(one.id, one.isApproved ? 'approved' : 'rejected')
  else if (one.do === 'load') void store.load(null)
  else if (one.do === 'answer') await server.answer()
  else if (next !== null) void store.load(next)
}

it('[STAR-10] an open table that follows the events equals one that is loaded then', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const server = new RequestServer()
      const store = new RequestList(server.source)
      void store.load(null)
      for (const one of steps) await take(one, server, store)
      await server.answer()
      while (store.list.peek()?.next) {
        void store.load(store.list.peek()?.next ?? null)
        await server.answer()
      }
      expect(store.list.peek()?.items).toEqual(server.requests)
    }),
  )
})

it('[STAR-10] a table loads again after a resync, and stops listening when it is closed', async () => {
  const server = new RequestServer()
  const store = new RequestList(server.source)
  onTestFinished(() => store.close())
  void store.load(null)
  await server.answer()
  server.requests = [{ id: 9, amount: 50, status: 'approved', createdAt: 1 }]
  server.events.deliver('resync', {}, null)
  await server.answer()
  expect(store.list.peek()?.items).toEqual(server.requests)
  store.close()
  expect([...server.events.handlers.values()].flat()).toEqual([])
})
