import type { LiveHooks } from '../live/define-live-hooks.ts'
import { fingerprintOf } from '../moderation/access.ts'
import { areMarksCurrent } from './mark-queries.ts'
import { touchAccountMarks } from './touch-account-marks.ts'

export const liveHooks: LiveHooks = {
  onHello({ context, connection, reader, actor, user, input }) {
    const fingerprint = fingerprintOf(context, input.browserId, connection.address)
    if (areMarksCurrent(reader, user.id, fingerprint, context.clock())) return {}
    return { afterOpen: () => void context.execute(touchAccountMarks, actor, fingerprint) }
  },
}
