import { beforeEach, expect, it, vi } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import { ProfileWatch } from './profile-watch.ts'

let tab: RoomHarness
let watch: ProfileWatch

beforeEach(async () => {
  tab = new RoomHarness(new FakeEnvironment())
  watch = new ProfileWatch(tab.live)
  // Each watch is answered at once.
  tab.environment.onTransport = (transport) => {
    transport.onSent = (value) => {
      const answer = { success: true, canViewProfile: true, isOnline: false }
      if (value[0] === Kind.request && value[2] === 'watchProfile') transport.receive([Kind.answer, value[1], answer])
    }
  }
  await tab.openRoom(createRoomPage())
})

const counts = () => ['watchProfile', 'unwatchProfile'].map((name) => tab.environment.transport.count(name))

it('[PROF-52] a profile is watched while it is open, also twice, and again on a new connection', async () => {
  const listeners = [vi.fn(), vi.fn()]
  const ends = listeners.map((listener) => watch.watch(7, listener))
  await flushPromises()
  const shown = expect.objectContaining({ canViewProfile: true, isOnline: false })
  for (const listener of listeners) expect(listener).toHaveBeenLastCalledWith(shown)
  ends[0]?.()
  expect(counts()[1]).toBe(0)
  tab.environment.transport.drop()
  await tab.environment.advance(20_000)
  await tab.answerHello({ resumed: true })
  expect(counts()).toEqual([1, 0])
  ends[1]?.()
  expect(counts()).toEqual([1, 1])
})
