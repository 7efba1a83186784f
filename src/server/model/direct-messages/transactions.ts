import type { MessageId } from '../../../shared/protocol/ids.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import type { Participants } from '../relations/access.ts'
import { findDirectMessage } from './message-pages.ts'
import { directMedia } from './queries.ts'

/** Tells both users that a message was removed by a moderator, unless they have deleted it. */
export function emitMessageRemoved(tx: Transaction, participants: Participants, id: MessageId): void {
  const { own, other } = participants
  for (const side of [participants, { own: other, other: own }]) {
    const message = findDirectMessage(tx, side, id)
    if (!message) continue
    const { senderId, recipientId } = message
    tx.emit({ stream: userStream(side.own.id), name: 'directMessageRemoved', payload: { id, senderId, recipientId } })
  }
}

/** Lets the job delete the file of a removed message whose text is not kept any more. */
export function expireMediaOfRemoved(tx: Transaction, mediaId: number): void {
  directMedia.expire(tx, mediaId)
}
