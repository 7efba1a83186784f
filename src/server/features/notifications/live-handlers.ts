import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { listUnreadOf } from '../../model/direct-messages/queries.ts'
import { markMessagesRead } from '../direct-messages/mark-messages-read.ts'
import { markNotificationRead, markTabRead } from './mark-read.ts'

export const notificationRead: Handler<'notificationRead'> = (appContext, { identity }, { notificationId, remove }) =>
  appContext.execute(markNotificationRead, identity?.viewer ?? null, { notificationId, isRemoved: remove })

export const notificationTabRead: Handler<'notificationTabRead'> = (appContext, { identity }, { tab, upTo, remove }) =>
  appContext.execute(markTabRead, identity?.viewer ?? null, { tab, upTo, isRemoved: remove })

/**
 * Marks the messages of each sender as read, up to the latest of the ids. Ids of read messages and of
 * other users' change nothing and cost no write.
 */
export const notificationDMRead: Handler<'notificationDMRead'> = async (appContext, { identity }, input) => {
  const viewer = identity?.viewer
  if (!viewer) return refuse('NotSignedIn')
  const upToIds = new Map<UserId, number>()
  for (const { id, senderId } of listUnreadOf(appContext.reader, viewer, input.notificationIds))
    upToIds.set(senderId, Math.max(id, upToIds.get(senderId) ?? 0))
  for (const [otherUserId, upToId] of upToIds) {
    const answer = await appContext.execute(markMessagesRead, viewer, { otherUserId, upToId })
    if (answer instanceof Refusal) return answer
  }
  return { success: true }
}
