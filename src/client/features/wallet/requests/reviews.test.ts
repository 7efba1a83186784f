import { expect, it } from 'vitest'
import type { RequestFilter, ReviewedRequest } from '../../../../shared/wallet/requests/protocol.ts'
import { EventHandlers } from '../../../core/live/event-handlers.ts'
import { FakeEnvironment, flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import { LiveList } from '../../../core/signals/live-list.ts'
import { watchReviews } from './reviews.ts'

function reviewed(id: number): ReviewedRequest {
  const person = { userId: 1, username: 'ada', avatarUrl: null, gender: null }
  const account = { accountName: 'Ada Yılmaz', iban: null }
  const decision = { status: 'pending' as const, createdAt: Math.ceil(id / 2), decidedAt: null, decidedBy: null }
  return { id, kind: 'star', amount: 50, ...person, ...account, ...decision }
}

it.each([{}, { status: 'pending' }] as RequestFilter[])(
  '[REQUEST-11] an open list by %j that has received events equals a new one',
  async (filter) => {
    const decision = { status: 'approved' as const, decidedBy: 'Zeynep', decidedAt: 9 }
    let items = [reviewed(3), reviewed(2), reviewed(1)]
    let changeCount = 0
    const events = new EventHandlers(new FakeEnvironment())
    const list = new LiveList<ReviewedRequest, string>({
      fetchPage: async () => ({ items, next: null }),
      failureText: () => '',
    })
    const stop = watchReviews(list, filter, events, () => void changeCount++)
    await list.load(null)

    events.deliver('requestDecided', { kind: 'star', requestId: 2, ...decision }, 1)
    events.deliver('requestDecided', { kind: 'star', requestId: 2, ...decision, status: 'rejected' }, 2)
    const decided = filter.status ? [] : [{ ...reviewed(2), ...decision }]
    expect(list.list.peek()?.items).toEqual([reviewed(3), ...decided, reviewed(1)])

    items = [reviewed(4), reviewed(3), ...decided, reviewed(1)]
    events.deliver('newStarRequest', reviewed(4), 3)
    await flushPromises()
    expect([list.list.peek()?.items, changeCount]).toEqual([items, 3])
    stop()
    expect([...events.handlers.values()].flat()).toEqual([])
  },
)
