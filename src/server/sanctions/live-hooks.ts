import type { LiveHooks } from '../live/define-live-hooks.ts'
import { encodeEphemeral } from '../live/publisher.ts'
import { getOwnSanctions } from './queries.ts'

/** Each new connection gets the open warnings and the mutes of its user. */
export const liveHooks: LiveHooks = {
  onHello({ context, connection, reader, user }) {
    const sanctions = getOwnSanctions(reader, user.id, context.clock())
    if (!sanctions) return {}
    return { afterAnswer: () => context.publisher.enqueue(connection, encodeEphemeral('ownSanctions', sanctions)) }
  },
}
