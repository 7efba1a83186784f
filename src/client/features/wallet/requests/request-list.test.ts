import { expect, it } from 'vitest'
import type { MoneyRequest } from '../../../../shared/wallet/requests/request.ts'
import { EventHandlers } from '../../../core/live/event-handlers.ts'
import { FakeEnvironment, flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import { LiveList } from '../../../core/signals/live-list.ts'
import { watchRequests } from './request-list.ts'

const requestOf = (id: number, status: MoneyRequest['status'] = 'pending'): MoneyRequest => ({
  ...{ id, amount: 100, status, createdAt: id * 10 },
})

it('[STAR-10] an open table follows the events, and loads again after a resync, until it is closed', async () => {
  const events = new EventHandlers(new FakeEnvironment())
  let requests = [requestOf(5), requestOf(4), requestOf(3)]
  let next: string | null = '3'
  const list = new LiveList<MoneyRequest, string>({
    fetchPage: async () => ({ items: requests, next }),
    failureText: () => '',
  })
  const stop = watchRequests(list, events, ['starRequestCreated', 'starRequestApproved'])
  await list.load(null)
  events.deliver('starRequestCreated', requestOf(6), null)
  events.deliver('starRequestApproved', requestOf(4, 'approved'), null)
  events.deliver('starRequestCreated', requestOf(4), null)
  events.deliver('starRequestApproved', requestOf(2, 'approved'), null)
  expect(list.list.peek()?.items).toEqual([requestOf(6), requestOf(5), requestOf(4, 'approved'), requestOf(3)])

  requests = [requestOf(9, 'rejected')]
  next = null
  events.deliver('resync', {}, null)
  await flushPromises()
  expect(list.list.peek()?.items).toEqual(requests)
  stop()
  expect([...events.handlers.values()].flat()).toEqual([])
})
