import type { Feature, FeatureContext } from '../features.ts'
import { getStatus, watchRooms } from './live-handlers.ts'
import { RoomActivityNotifier } from './room-activity.ts'

/** How many people are where, and in which rooms something is going on. */
export function createFeature({ appContext: { publisher, reader } }: FeatureContext): Feature {
  const roomActivity = new RoomActivityNotifier(publisher, reader)
  return { handlers: { getStatus, watchRooms }, close: () => roomActivity.close() }
}
