import { expect, it } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import { ActionList, type ActionPage } from './actions-section.tsx'

/** A list that shows entry 1 and watches the log; `record` adds entries, `announce` tells of one. */
async function openList() {
  const environment = new FakeEnvironment()
  const client = new RoomHarness(environment)
  await client.openRoom()
  const ids = [1]
  const answers: (() => void)[] = []
  const list = new ActionList(() => {
    const page = { items: ids.toReversed().map((id) => ({ id })), next: null } as unknown as ActionPage // ids alone are read
    return new Promise((resolve) => answers.push(() => resolve(page)))
  })
  list.watch(client.live)
  const load = async () => {
    const loaded = list.load(null)
    answers.shift()?.()
    await loaded
  }
  await load()
  let seq = 100
  const announce = async (actionId: number) => {
    environment.transport.receive([Kind.event, ++seq, 'actionRecorded', { actionId }])
    await flushPromises()
  }
  return { list, load, announce, answers, record: (id: number) => void ids.push(id) }
}

it('[AUDIT-10] announces entries that the page lacks, until it is loaded again', async () => {
  const { list, load, announce, record } = await openList()
  expect(list.hasNew.peek()).toBe(false)
  record(2)
  await announce(2)
  expect(list.hasNew.peek()).toBe(true)
  await load()
  expect(list.hasNew.peek()).toBe(false)
})

it('[AUDIT-10] announces no entry that came with the page before its event', async () => {
  const { list, load, announce, answers, record } = await openList()
  record(2)
  await load()
  await announce(2)
  expect(list.hasNew.peek()).toBe(false)
  record(3)
  const loading = list.load(null)
  await announce(3)
  answers.shift()?.()
  await loading
  expect(list.hasNew.peek()).toBe(false)
})

it('[AUDIT-10] loads once more where the page that is under way may lack what was announced', async () => {
  const { list, announce, answers, record } = await openList()
  void list.load(null)
  record(2)
  await announce(2)
  const loading = list.load(null)
  answers.shift()?.()
  await flushPromises()
  answers.shift()?.()
  await loading
  expect([list.hasNew.peek(), list.list.peek()?.items.length]).toEqual([false, 2])
})
