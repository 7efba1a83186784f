import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Actor } from '../database/transact.ts'
import type { Entrance } from './entrance.ts'
import { lookTwice } from './look-twice.ts'
import { userById } from './queries.ts'

/**
 * What whoever is signed in does with their own password: `check` answers the hash of the account that it is right for.
 * Tries count together with those of signing in: a token that was stolen is no way to guess the password.
 */
export function ownPasswords({ world, limits, passwords }: Entrance) {
  const matching = (userId: number, password: string) =>
    lookTwice(world, 'WrongPassword', async () => {
      const stored = world.read.get(userById, { id: userId })?.passwordHash ?? null
      const isRight = await passwords.matches(password, stored)
      if (isRight instanceof Refusal) return isRight
      return isRight && stored !== null ? stored : refuse('WrongPassword')
    })
  return {
    hash: (password: string) => passwords.hash(password),
    check: async ({ userId }: Actor, password: string, address: string): Promise<string | Refusal> => {
      const name = world.read.get(userById, { id: userId })?.foldedName
      if (name === undefined) return refuse('SessionEnded')
      const waitMs = limits.tryPassword(name, address)
      if (waitMs > 0) return refuse('RateLimited', { waitMs })
      const found = await matching(userId, password)
      if (typeof found === 'string') limits.succeeded(name, address)
      else if (found.body.code !== 'WrongPassword') limits.withdrawn(name, address)
      return found
    },
  }
}
