import { MAX_WATCHED_USERS } from '../../../shared/posts/limits.ts'
import { PROFILE_HIDDEN_TEXT } from '../../../shared/profiles/view-rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { type Connection, isOpen } from '../../kernel/live/connection.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { encodeEphemeral } from '../../kernel/live/publisher.ts'
import { watchedStreams, watchStream } from '../../kernel/live/watched-streams.ts'
import { postsStream } from '../../model/posts/streams.ts'
import { canViewProfileOf, type ProfileViewer } from '../../model/profiles/access.ts'

/** Subscribes the connection to the posts of a user whose profile the viewer may see. */
export const watchPosts: Handler<'watchPosts'> = ({ reader, publisher }, connection, { userId }) => {
  const viewer = connection.identity?.viewer
  if (!viewer) return refuse('NotSignedIn')
  const found = reader.snapshot((snapshot) => ({
    canView: canViewProfileOf(snapshot, viewer, userId),
    cursor: snapshot.cursor(),
  }))
  if (!found.canView) return refuse('Forbidden', { message: PROFILE_HIDDEN_TEXT })
  const watched = { family: postsStream, id: userId }
  watchStream(publisher, connection, watched, { max: MAX_WATCHED_USERS, knownSeq: found.cursor })
  return { success: true, cursor: found.cursor }
}

export const unwatchPosts: Handler<'unwatchPosts'> = ({ publisher }, connection, { userId }) => {
  publisher.unsubscribe(connection, postsStream(userId))
  return { success: true }
}

/**
 * Ends watching when access ends: by a block, an unfollow, an account that becomes private, or a lost role. The publisher
 * calls this before it delivers the event, so nothing that follows it is delivered.
 */
export function endWatchingWithAccess({ publisher, presence, reader }: AppContext): void {
  const close = (connection: Connection, ownerId: UserId) => {
    publisher.unsubscribe(connection, postsStream(ownerId))
    publisher.enqueue(connection, encodeEphemeral('postsClosed', { userId: ownerId }))
  }
  const check = (connection: Connection, viewer: ProfileViewer, ownerId: UserId) => {
    if (!canViewProfileOf(reader, viewer, ownerId)) close(connection, ownerId)
  }
  const checkPair = (viewerId: UserId, ownerId: UserId) => {
    for (const connection of presence.connectionsOf(viewerId))
      if (connection.streams.has(postsStream(ownerId))) check(connection, connection.state.identity.viewer, ownerId)
  }
  publisher.on('userBlocked', ({ payload: { blockerId, blockedId } }) => {
    checkPair(blockerId, blockedId)
    checkPair(blockedId, blockerId)
  })
  publisher.on('userUnfollowed', ({ payload: { followerId, followingId } }) => checkPair(followerId, followingId))
  publisher.on('postsRestricted', ({ payload: { userId, isGone } }) => {
    for (const connection of [...publisher.subscribers(postsStream(userId))]) {
      if (isGone) close(connection, userId)
      else if (isOpen(connection)) check(connection, connection.state.identity.viewer, userId)
    }
  })
  // The event has the role; the connection's viewer may not have it yet.
  publisher.on('userProfileUpdated', ({ payload: { user } }) => {
    for (const connection of presence.connectionsOf(user.id))
      for (const ownerId of watchedStreams(connection, postsStream).map((stream) => postsStream.idOf(stream)))
        if (ownerId !== null) check(connection, { userId: user.id, role: user.role }, ownerId)
  })
}
