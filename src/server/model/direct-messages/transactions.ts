import type { MessageId } from '../../../shared/protocol/ids.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import type { Participants } from '../relations/access.ts'
import { findDirectMessage } from './message-pages.ts'
import { directMedia } from './queries.ts'

/** Tells both users that a message was removed by a moderator, unless they have deleted it. */
export function emitMessageRemoved(tx: Transaction, participants: Participants, id: MessageId): void {
  for (const side of sidesOf(participants)) {
    const message = findDirectMessage(tx, side, id)
    if (!message) continue
    const { senderId, recipientId } = message
    tx.emit({ stream: userStream(side.own.id), name: 'directMessageRemoved', payload: { id, senderId, recipientId } })
  }
}

/** Sends both users a message that is shown again, unless they have deleted it. */
export function emitMessageRestored(tx: Transaction, participants: Participants, id: MessageId): void {
  for (const side of sidesOf(participants)) {
    const payload = findDirectMessage(tx, side, id)
    if (payload) tx.emit({ stream: userStream(side.own.id), name: 'directMessageRestored', payload })
  }
}

function sidesOf({ own, other }: Participants): Participants[] {
  return [
    { own, other },
    { own: other, other: own },
  ]
}

/** Lets the job delete the file of a removed message whose text is not kept any more. */
export function expireMediaOfRemoved(tx: Transaction, mediaId: number): void {
  directMedia.expire(tx, mediaId)
}
