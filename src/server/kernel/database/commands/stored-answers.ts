import { hash } from 'node:crypto'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { insertRow, query } from '../query.ts'
import type { Transaction } from '../transaction.ts'
import type { RetryKey } from './define-command.ts'

const ANSWER_RETENTION_MS = 7 * 24 * 60 * 60 * 1000

const answerByKey = query<{ userId: UserId; clientId: string }>()((db, p) =>
  db
    .selectFrom('commandAnswer')
    .select(['inputHash', 'answer'])
    .where('userId', '=', p('userId'))
    .where('clientId', '=', p('clientId')),
)
const insertAnswer = insertRow('commandAnswer', ['userId', 'clientId', 'inputHash', 'answer', 'expiresAt'])

/** A command and the fields of its input that a retry repeats; null for a deleted row, whose content is gone. */
export interface RetriedInput {
  commandName: string
  input: unknown
}

/** The answer that is stored under a key; undefined without one. `isSame` is false for another command or input. */
export function findStoredAnswer(
  tx: Transaction,
  key: RetryKey,
  retried: RetriedInput,
): { answer: object; isSame: boolean } | undefined {
  const stored = tx.get(answerByKey, key)
  if (!stored) return undefined
  const isSame = hashInput(retried).equals(stored.inputHash)
  return { answer: JSON.parse(stored.answer) as object, isSame } // `storeAnswer` wrote it
}

/** Stores the answer of a command that ran at `ranAt`, for a week from then. */
export function storeAnswer(
  tx: Transaction,
  { userId, clientId }: RetryKey,
  retried: RetriedInput,
  { answer, ranAt }: { answer: object; ranAt: number },
): void {
  const expiresAt = ranAt + ANSWER_RETENTION_MS
  if (expiresAt <= tx.now) return
  tx.run(insertAnswer, { userId, clientId, inputHash: hashInput(retried), answer: JSON.stringify(answer), expiresAt })
}

function hashInput({ commandName, input }: RetriedInput): Buffer {
  return hash('sha256', JSON.stringify([commandName, input]), 'buffer')
}
