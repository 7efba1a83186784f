import { MAX_WATCHED_PROFILES } from '../../../shared/profiles/limits.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { encodeEphemeral } from '../../kernel/live/publisher.ts'
import { watchStream } from '../../kernel/live/watched-streams.ts'
import { watchedUserStream } from '../../kernel/presence/streams.ts'
import { userById } from '../../model/accounts/queries.ts'
import { canViewProfileOf, type ProfileViewer, readViewStatus } from '../../model/profiles/access.ts'

/** Subscribes the connection of an open profile to what no other event tells its viewer. */
export const watchProfile: Handler<'watchProfile'> = ({ reader, publisher, presence }, connection, { userId }) => {
  const viewer = connection.identity?.viewer
  if (!viewer) return refuse('NotSignedIn')
  const watched = { family: watchedUserStream, id: userId }
  // No logged event is emitted on it.
  watchStream(publisher, connection, watched, { max: MAX_WATCHED_PROFILES, knownSeq: Number.POSITIVE_INFINITY })
  return {
    success: true,
    canViewProfile: canViewProfileOf(reader, viewer, userId),
    isOnline: presence.isOnline(userId, viewer),
  }
}

export const unwatchProfile: Handler<'unwatchProfile'> = ({ publisher }, connection, { userId }) => {
  publisher.unsubscribe(connection, watchedUserStream(userId))
  return { success: true }
}

/** Notifies those who watch an account that became private or public, if they see another profile by it. */
export function notifyOfAccountPrivacy({ publisher, reader }: AppContext): void {
  publisher.on('accountPrivacyChanged', ({ payload: { userId } }) => {
    const value = encodeEphemeral('profileViewChanged', { userId })
    for (const connection of publisher.subscribers(watchedUserStream(userId))) {
      const viewer = connection.identity?.viewer
      if (viewer && dependsOnAccountPrivacy(reader, viewer, userId)) publisher.enqueue(connection, value)
    }
  })
}

/**
 * Whether the account's privacy decides what the viewer sees: not for its followers and not across a block. The follow
 * button of a root admin depends on it.
 */
function dependsOnAccountPrivacy(reader: Reader, viewer: ProfileViewer, ownerId: UserId): boolean {
  if (viewer.role === 'rootadmin') return true
  const owner = reader.get(userById, { id: ownerId })
  if (!owner) return false
  const canViewAs = (accountPrivacy: 'public' | 'private') =>
    readViewStatus(reader, viewer, { ...owner, accountPrivacy }).canViewProfile
  return !canViewAs('private') && canViewAs('public')
}
