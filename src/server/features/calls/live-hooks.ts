import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'

export const liveHooks: LiveHooks = {
  onHello: ({ context, connection }) => ({
    afterAnswer: () => context.services().calls.announceConnection(connection),
  }),
}
