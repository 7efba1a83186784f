import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { getStatus, watchRooms } from './live-handlers.ts'
import { RoomActivityNotifier } from './room-activity.ts'

/** User counts of the site and its rooms, and activity of watched rooms. */
export function createFeature({ appContext: { publisher, reader } }: FeatureContext): Feature {
  const roomActivity = new RoomActivityNotifier(publisher, reader)
  return { handlers: { getStatus, watchRooms }, close: () => roomActivity.close() }
}
