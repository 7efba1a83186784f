import type { UserId } from '../../../shared/protocol/ids.ts'
import type { OpenConnection } from '../../kernel/live/connection.ts'
import type { Publisher } from '../../kernel/live/publisher.ts'

/** Keeps `viewer.isGhost` of this region's connections current. */
export function syncViewerGhosts(publisher: Publisher, connectionsOf: (userId: UserId) => OpenConnection[]): void {
  const update = (userId: UserId, isGhost: boolean) => {
    for (const { state } of connectionsOf(userId)) state.identity.viewer = { ...state.identity.viewer, isGhost }
  }
  publisher.on('ghostBanned', ({ payload }) => update(payload.userId, true))
  publisher.on('ghostBanLifted', ({ payload }) => update(payload.userId, false))
}
