import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { presenceStreamFor } from '../../kernel/presence/streams.ts'

export const liveHooks: LiveHooks = {
  onHello: ({ context, connection, user }) => ({
    streams: [presenceStreamFor(user.role)],
    afterOpen: () => context.presence.addConnection(connection),
  }),
}
