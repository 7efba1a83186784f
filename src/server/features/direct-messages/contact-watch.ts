import type { UserId } from '../../../shared/protocol/ids.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { defineStreamFamily } from '../../kernel/database/events/streams.ts'
import type { Connection } from '../../kernel/live/connection.ts'
import { encodeEphemeral } from '../../kernel/live/publisher.ts'
import { contactVerdicts, getParticipants } from '../../model/relations/access.ts'

/** Open conversations of one connection; opening more ends the watch of the one that was opened first. */
export const MAX_WATCHED_CONVERSATIONS = 20

/** The connections with an open conversation with a user. No logged event is emitted on it. */
const openConversationStream = defineStreamFamily<UserId>('openConversation')

/** Notifies open conversations when the other user's privacy changes what the viewer may do. */
export interface ContactWatch {
  /** @param verdicts those that the connection was sent last */
  add(connection: Connection, otherId: UserId, verdicts: string): void
  remove(connection: Connection, otherId: UserId): void
}

/** A viewer whose own verdict stays the same is not notified, and so learns nothing of the settings. */
export function createContactWatch({ publisher, reader }: AppContext): ContactWatch {
  const watched = new WeakMap<Connection, Map<UserId, string>>()

  const remove = (connection: Connection, otherId: UserId): void => {
    watched.get(connection)?.delete(otherId)
    publisher.unsubscribe(connection, openConversationStream(otherId))
  }
  publisher.on('privacyChanged', ({ row, payload: { userId } }) => {
    if (row.audience === 'actor') return
    const value = encodeEphemeral('contactVerdictChanged', { userId })
    for (const connection of publisher.subscribers(openConversationStream(userId))) {
      const viewerId = connection.identity?.viewer.userId
      const participants = viewerId === undefined ? undefined : getParticipants(reader, viewerId, userId)
      if (!participants) continue
      const verdicts = contactVerdicts(reader, participants)
      const known = watched.get(connection)
      if (known?.get(userId) === verdicts) continue
      known?.set(userId, verdicts)
      publisher.enqueue(connection, value)
    }
  })

  return {
    remove,
    add(connection, otherId, verdicts) {
      const known = watched.get(connection) ?? new Map<UserId, string>()
      watched.set(connection, known)
      known.delete(otherId)
      known.set(otherId, verdicts)
      const [first] = known.keys()
      if (known.size > MAX_WATCHED_CONVERSATIONS && first !== undefined) remove(connection, first)
      publisher.subscribe(connection, openConversationStream(otherId), Number.POSITIVE_INFINITY)
    },
  }
}
