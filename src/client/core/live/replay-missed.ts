import type { EventHandlers } from './event-handlers.ts'

/**
 * Creates stores whose code loads after the page: the handlers that they add receive every event since the page was
 * opened, in order. When some of these are missing, `refetch` is called instead. It is left out where nothing that is shown
 * depends on them: the stores load later, or their state comes with the next connection.
 */
export function replayMissed<T>(live: EventHandlers, createStores: () => T, refetch?: (stores: T) => void): T {
  const before = new Map(live.handlers)
  const stores = createStores()
  const missed = live.replayBuffer.events
  if (!missed) refetch?.(stores)
  for (const { name, payload, seq } of [...(missed ?? [])]) {
    const late = live.handlers.get(name)?.filter((handler) => !before.get(name)?.includes(handler))
    live.callHandlers(late ?? [], name, payload, seq)
  }
  return stores
}
