import { refusals } from '../../../shared/protocol/refusals.ts'
import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { encodeEphemeral } from '../../kernel/live/publisher.ts'
import { isInMaintenanceFor } from '../../model/moderation/access.ts'

export const liveHooks: LiveHooks = {
  onHello: ({ context, connection, user }) => ({
    afterAnswer: () => {
      if (!isInMaintenanceFor(context, user.role)) return
      const { message } = refusals.Maintenance
      context.publisher.enqueue(connection, encodeEphemeral('serverMaintenance', { isOn: true, message }))
    },
  }),
}
