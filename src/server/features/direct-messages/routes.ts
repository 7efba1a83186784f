import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import { routes } from '../../../shared/direct-messages/protocol.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { listDirectMessages } from '../../model/conversations/direct-messages.ts'
import { directMediaCommands } from '../../model/conversations/media-commands.ts'
import { countUnread } from '../../model/conversations/sides.ts'
import { storeMediaUpload } from '../../model/media/media-upload.ts'
import { findRecipient, getParticipants } from '../../model/relations/access.ts'
import { consumeReportLimit } from '../../model/reports/access.ts'
import { deleteConversation } from './delete-conversation.ts'
import { hideConversation } from './hide-conversation.ts'
import { listConversations } from './list-conversations.ts'
import { recipientInfoOf } from './recipient-info.ts'
import { reportMessage } from './report-message.ts'

/** `/api/dm` and `/api/conversation-status`: conversations, their messages, hiding, deleting, reporting, and files. */
export function directMessageRoutes(app: NodeApp, appContext: AppContext): void {
  const { reader, presence, execute } = appContext

  registerRoute(app, appContext, routes.uploadDirectMedia, (call) =>
    storeMediaUpload(appContext, call, { add: (media) => execute(directMediaCommands.addMedia, call.actor, media) }),
  )

  registerRoute(app, appContext, routes.conversations, ({ input, actor }) =>
    reader.snapshot((snapshot) => ({
      success: true as const,
      ...listConversations(snapshot, actor, (userId) => presence.isOnline(userId, actor), input.before),
      unreadCount: countUnread(snapshot, actor.userId),
    })),
  )

  registerRoute(app, appContext, routes.directMessages, ({ input, actor }) =>
    reader.snapshot((snapshot) => {
      const other = findRecipient(snapshot, input.other)
      const participants = other instanceof Refusal ? undefined : getParticipants(snapshot, actor.userId, other.id)
      if (!participants) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
      const page = { id: input.before ?? Number.MAX_SAFE_INTEGER, side: 'before' as const }
      const { messages, more } = listDirectMessages(snapshot, participants, page)
      const isOnline = presence.isOnline(participants.other.id, actor)
      return {
        success: true as const,
        messages: messages.reverse(),
        more,
        recipientInfo: recipientInfoOf(snapshot, participants, { isOnline, now: appContext.clock() }),
      }
    }),
  )

  for (const [route, command] of [
    [routes.hideConversation, hideConversation],
    [routes.deleteConversation, deleteConversation],
  ] as const) {
    registerRoute(app, appContext, route, ({ input, actor, clientId }) => {
      const other = findRecipient(reader, input.targetUsername, input.targetUserId)
      return other instanceof Refusal ? other : execute(command, actor, { otherUserId: other.id }, { clientId })
    })
  }

  registerRoute(app, appContext, routes.reportDirectMessage, ({ input, actor, clientId, context }) => {
    const { messageId, reason, note } = input
    const refusal = consumeReportLimit(appContext, actor, context)
    return refusal ?? execute(reportMessage, actor, { messageId, reason, note }, { clientId })
  })
}
