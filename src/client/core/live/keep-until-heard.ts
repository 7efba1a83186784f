import type { EventName, EventPayload } from '../../../shared/protocol/catalogue.ts'
import type { EventHandlers } from './event-handlers.ts'

/**
 * Keeps the events of one name for code that loads later, for events that are never sent again: the replay buffer loses
 * its events at a reconnect and at a move to another room. Returns the function by which that code hears them, once.
 */
export function keepUntilHeard<N extends EventName>(
  live: Pick<EventHandlers, 'on'>,
  name: N,
): (handler: (payload: EventPayload<N>) => void) => void {
  const kept: EventPayload<N>[] = []
  let handle = (payload: EventPayload<N>): void => void kept.push(payload)
  live.on(name, (payload) => handle(payload))
  return (handler) => {
    handle = handler
    for (const payload of kept.splice(0)) handler(payload)
  }
}
