import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Actor } from '../../database/transact.ts'
import { retryWhenFresh } from '../../regions/retry-when-fresh.ts'
import { userById } from '../queries.ts'
import type { SignInDeps } from '../sign-in/sign-in-deps.ts'

/**
 * What whoever is signed in does with their own password: `verify` answers the hash of the account that it is right for.
 * Tries count together with those of signing in: a token that was stolen is no way to guess the password.
 */
export function createOwnPasswordVerifier({ world, limits, passwords }: SignInDeps) {
  const matching = (userId: number, password: string) =>
    retryWhenFresh(world, 'WrongPassword', async () => {
      const stored = world.reader.get(userById, { id: userId })?.passwordHash ?? null
      const isRight = await passwords.verify(password, stored)
      if (isRight instanceof Refusal) return isRight
      return isRight && stored !== null ? stored : refuse('WrongPassword')
    })
  return {
    hash: (password: string) => passwords.hash(password),
    verify: async ({ userId }: Actor, password: string, address: string): Promise<string | Refusal> => {
      const name = world.reader.get(userById, { id: userId })?.foldedName
      if (name === undefined) return refuse('SessionEnded')
      const waitMs = limits.consumePasswordAttempt(name, address)
      if (waitMs > 0) return refuse('RateLimited', { waitMs })
      const found = await matching(userId, password)
      if (typeof found === 'string') limits.recordPasswordSuccess(name, address)
      else if (found.body.code !== 'WrongPassword') limits.refundPasswordAttempt(name, address)
      return found
    },
  }
}
