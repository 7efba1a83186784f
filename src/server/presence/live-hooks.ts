import type { LiveHooks } from '../live/define-live-hooks.ts'
import { presenceStreamFor } from './streams.ts'

export const liveHooks: LiveHooks = {
  onHello: ({ context, connection, user }) => ({
    streams: [presenceStreamFor(user.role)],
    afterOpen: () => context.presence.addConnection(connection),
  }),
}
