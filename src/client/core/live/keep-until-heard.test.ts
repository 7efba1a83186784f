import { expect, it } from 'vitest'
import { FakeEnvironment } from '../platform/testing/fake-environment.ts'
import { EventHandlers } from './event-handlers.ts'
import { keepUntilHeard } from './keep-until-heard.ts'

it('passes on what came before the handler, once and in order, also when the replay buffer was emptied', () => {
  const live = new EventHandlers(new FakeEnvironment())
  const hear = keepUntilHeard(live, 'popupNotification')
  live.deliver('popupNotification', 'first', null)
  live.replayBuffer.restart()
  live.deliver('popupNotification', 'second', null)
  const heard: unknown[] = []
  hear((popup) => heard.push(popup))
  live.deliver('popupNotification', 'third', null)
  expect(heard).toEqual(['first', 'second', 'third'])
})
