import type { LiveHooks } from '../live/define-live-hooks.ts'
import { viewerOf } from './queries.ts'

export const liveHooks: LiveHooks = {
  onHello: ({ reader, actor }) => ({ blockedIds: viewerOf(reader, actor).blockedIds }),
}
