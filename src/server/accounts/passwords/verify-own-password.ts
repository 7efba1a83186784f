import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Actor } from '../../database/transact.ts'
import { retryWhenFresh } from '../../regions/retry-when-fresh.ts'
import { userById } from '../queries.ts'
import type { SignInDeps } from '../sign-in/sign-in-deps.ts'

/** The password of a signed-in user. */
export interface PasswordVerifier {
  /** The stored hash that the password matches, or WrongPassword, SessionEnded, RateLimited or Busy. */
  verify(actor: Actor, password: string, address: string): Promise<string | Refusal>
  /** A PHC string, or Busy. */
  hash(password: string): Promise<string | Refusal>
}

/** Attempts share the limits of sign-in, so that a stolen token cannot be used to guess the password. */
export function createOwnPasswordVerifier({ appContext, limits, passwords }: SignInDeps): PasswordVerifier {
  const findMatchingHash = (userId: UserId, password: string) =>
    retryWhenFresh(appContext, 'WrongPassword', async () => {
      const storedHash = appContext.reader.get(userById, { id: userId })?.passwordHash ?? null
      const isMatch = await passwords.verify(password, storedHash)
      if (isMatch instanceof Refusal) return isMatch
      return isMatch && storedHash !== null ? storedHash : refuse('WrongPassword')
    })
  return {
    hash: (password) => passwords.hash(password),
    verify: async ({ userId }, password, address) => {
      const foldedName = appContext.reader.get(userById, { id: userId })?.foldedName
      if (foldedName === undefined) return refuse('SessionEnded')
      const waitMs = limits.consumePasswordAttempt(foldedName, address)
      if (waitMs > 0) return refuse('RateLimited', { waitMs })
      const matchingHash = await findMatchingHash(userId, password)
      if (typeof matchingHash === 'string') limits.recordPasswordSuccess(foldedName, address)
      else if (matchingHash.body.code !== 'WrongPassword') limits.refundPasswordAttempt(foldedName, address)
      return matchingHash
    },
  }
}
