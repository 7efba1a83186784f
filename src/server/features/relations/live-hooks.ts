import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { viewerOf } from '../../model/relations/queries.ts'

export const liveHooks: LiveHooks = {
  onHello: ({ reader, actor }) => ({ blockedIds: viewerOf(reader, actor).blockedIds }),
}
