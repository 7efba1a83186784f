import type { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { Service } from '../../kernel/feature-services.ts'
import type { NodeContext } from '../../kernel/http/node-app.ts'

/**
 * The queues of password work: log-ins from familiar devices, entering from all others, changes of the own password, and
 * passwords of rooms.
 */
export const passwordQueueNames = ['familiar', 'strangers', 'changes', 'rooms'] as const

/** Whose password work it is. */
export interface PasswordWork {
  queue: (typeof passwordQueueNames)[number]
  /** The address group. */
  address: string
  /** A user id, or the folded name of a log-in; null for somebody without an account. */
  account: string | null
}

/** Hashes and verifies any password, in the one queue of this process. */
export const passwords = new Service<{
  /** A PHC string, or Busy. @param salt 16 unpredictable bytes, for a retry that must have the same hash */
  hash(password: string, work: PasswordWork, salt?: Buffer): Promise<string | Refusal>
  /** Whether the password matches the stored PHC string; Busy when the work's queue is full. */
  verify(password: string, stored: string | null, work: PasswordWork): Promise<boolean | Refusal>
}>('passwords')

/** Verifies and hashes the password of a signed-in user. */
export interface PasswordVerifier {
  /** The stored hash that the password matches, or WrongPassword, SessionEnded, RateLimited or Busy. */
  verify(actor: Actor, password: string, context: NodeContext): Promise<string | Refusal>
  /** A PHC string, or Busy. */
  hash(actor: Actor, password: string, context: NodeContext): Promise<string | Refusal>
  /** After the password was changed: the device that did it stays familiar. */
  rememberDevice(actor: Actor, context: NodeContext): void
}

export const ownPasswords = new Service<PasswordVerifier>('ownPasswords')
