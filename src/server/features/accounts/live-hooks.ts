import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { needsTouch, touchSession } from './sessions/touch-session.ts'

export const liveHooks: LiveHooks = {
  onHello({ context, actor, session }) {
    if (!needsTouch(session, context.clock())) return {}
    return { afterOpen: () => void context.execute(touchSession, actor, {}) }
  },
}
