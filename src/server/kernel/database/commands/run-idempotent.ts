import type { UserId } from '../../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import type { Transaction } from '../transaction.ts'
import type { AnyCommand, FindEarlierAnswer, RetryKey } from './define-command.ts'
import { findStoredAnswer, storeAnswer } from './stored-answers.ts'

/** Answers to commands without a session are stored under this id; no row of `user` has it. */
const ANONYMOUS_USER_ID = 0

/** The part of a job that a retry repeats. */
interface RetriedJob {
  actor: { userId: UserId } | null
  clientId: string | null
  input: object
}

/**
 * Runs a command unless its user has run it under the same clientId: then it has no second effect and gets the first
 * answer, even after the session has ended. Refuses a clientId that was used with another command, or with another input where
 * answers are stored.
 * @param rowFinders those of all commands
 */
export function runIdempotent(
  tx: Transaction,
  rowFinders: readonly FindEarlierAnswer[],
  command: AnyCommand,
  { actor, clientId, input }: RetriedJob,
  run: () => object | Refusal,
): object | Refusal {
  const { keepResult } = command
  if (!clientId || keepResult === 'never') return run()
  const attempt = { tx, rowFinders, command, input, key: { userId: actor?.userId ?? ANONYMOUS_USER_ID, clientId } }
  if (keepResult === 'week') return runWithStoredAnswer(attempt, run)
  return findInRow(attempt, keepResult.inRow) ?? run()
}

/** A command that may be a retry. */
interface Attempt {
  tx: Transaction
  rowFinders: readonly FindEarlierAnswer[]
  command: AnyCommand
  input: object
  key: RetryKey
}

function runWithStoredAnswer(
  { tx, rowFinders, command, input, key }: Attempt,
  run: () => object | Refusal,
): object | Refusal {
  const retried = { commandName: command.name, input: retryInputOf(command, input) }
  const stored = findStoredAnswer(tx, key, retried)
  if (stored) return stored.isSame ? stored.answer : refuse('ClientIdReused')
  if (rowFinders.some((find) => find(tx, key))) return refuse('ClientIdReused')
  const answer = run()
  if (!(answer instanceof Refusal)) storeAnswer(tx, key, retried, { answer, ranAt: tx.now })
  return answer
}

/** The result in the command's row, or the stored one of a row that was deleted; undefined for a new command. */
function findInRow({ tx, rowFinders, command, key }: Attempt, find: FindEarlierAnswer): object | undefined {
  const earlier = find(tx, key)
  if (earlier) return earlier
  const stored = findStoredAnswer(tx, key, { commandName: command.name, input: null })
  if (stored) return stored.isSame ? stored.answer : refuse('ClientIdReused')
  return rowFinders.some((other) => other !== find && other(tx, key)) ? refuse('ClientIdReused') : undefined
}

/** The fields of the input that a retry must repeat. */
function retryInputOf({ retryInput }: AnyCommand, input: object): unknown {
  if (retryInput === 'all') return input
  const fields = new Map(Object.entries(input))
  return retryInput.map((name) => fields.get(name) ?? null)
}
