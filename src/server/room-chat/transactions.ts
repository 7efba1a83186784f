import { sql } from 'kysely'
import type { MessageId, UserId } from '../../shared/protocol/ids.ts'
import { query } from '../database/query.ts'
import { storeAnswer } from '../database/stored-answers.ts'
import type { Transaction } from '../database/transact.ts'

const deleteByIds = query<{ ids: string }>()((db, p) =>
  db.deleteFrom('message').where('id', 'in', sql<MessageId>`(select value from json_each(${p('ids')}))`),
)

/** The answer to `sendMessage`, as the message's row has it. */
export function answerOfMessage({ id, createdAt }: { id: MessageId; createdAt: number }) {
  return { success: true as const, id, createdAt }
}

/** Deletes messages and returns their count. A retry of one that was sent this week still gets its answer and stores no second message. */
export function deleteMessages(
  tx: Transaction,
  messages: readonly { id: MessageId; senderId: UserId; clientId: string; createdAt: number }[],
): number {
  for (const message of messages) {
    const key = { userId: message.senderId, clientId: message.clientId }
    const answer = answerOfMessage(message)
    storeAnswer(tx, key, { commandName: 'sendMessage', input: null }, { answer, ranAt: message.createdAt })
  }
  return tx.run(deleteByIds, { ids: JSON.stringify(messages.map(({ id }) => id)) }).changes
}
