import { decode } from '@msgpack/msgpack'
import type { EventPayload } from '../../shared/protocol/catalogue.ts'
import type { Connection } from '../live/connection.ts'
import type { Publisher } from '../live/publisher.ts'

/** Whom the live connections of this region have blocked follows the log: what comes after a block is heard with it. */
export function syncViewerBlocks(publisher: Publisher, connectionsOf: (userId: number) => Connection[]): void {
  publisher.onEvent(({ name, stream, payload }) => {
    if (name !== 'userBlocked' && name !== 'userUnblocked') return
    const { blockerId, blockedId } = decode(payload) as EventPayload<typeof name> // as it was emitted
    if (stream !== `user:${blockerId}`) return
    for (const { identity } of connectionsOf(blockerId)) {
      if (!identity) continue
      const blocked = new Set(identity.viewer.blockedIds)
      if (name === 'userBlocked') blocked.add(blockedId)
      else blocked.delete(blockedId)
      identity.viewer = { ...identity.viewer, blockedIds: blocked }
    }
  })
}
