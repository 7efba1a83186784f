import { rootAdminTabs, tabOf } from '../../../shared/notifications/rules.ts'
import { decodeEventPayload, isEvent } from '../../kernel/database/logged-event.ts'
import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { encodeEphemeral } from '../../kernel/live/publisher.ts'
import { userById } from '../../model/accounts/queries.ts'
import { isMessagePresent } from '../../model/room-chat/queries.ts'
import { initialNotifications } from './initial-notifications.ts'

export const notifyConnection: LiveHooks = {
  onHello({ context, connection, reader, user }) {
    const initial = initialNotifications(reader, user, context.clock())
    return {
      afterAnswer: () => context.publisher.enqueue(connection, encodeEphemeral('initialNotifications', initial)),
    }
  },
  // The list that follows the replay shows the notification without the removed text.
  isObsolete(reader, event) {
    if (!isEvent(event, 'newNotification')) return false
    const { messageId, type, recipientId } = decodeEventPayload(event)
    // A root admin who was demoted meanwhile has no requests any more.
    const isForRootAdmins = type !== 'dm' && rootAdminTabs.includes(tabOf(type))
    if (isForRootAdmins) return reader.get(userById, { id: recipientId })?.role !== 'rootadmin'
    return messageId !== null && !isMessagePresent(reader, messageId)
  },
}
