import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { encodeEphemeral } from '../../kernel/live/publisher.ts'
import { getOwnSanctions } from '../../model/sanctions/queries.ts'

/** Each new connection gets the open warnings and the mutes of its user. */
export const liveHooks: LiveHooks = {
  onHello({ context, connection, reader, user }) {
    const sanctions = getOwnSanctions(reader, user.id, context.clock())
    if (!sanctions) return {}
    return { afterAnswer: () => context.publisher.enqueue(connection, encodeEphemeral('ownSanctions', sanctions)) }
  },
}
