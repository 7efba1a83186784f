import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Actor } from '../database/transact.ts'
import type { Entrance } from './entrance.ts'
import { userById } from './queries.ts'

/**
 * What whoever is signed in does with their own password: `check` answers the hash of the account that it is right for.
 * Tries count together with those of signing in: a token that was stolen is no way to guess the password. Another region
 * may know of a new password already, so one that is not the primary looks twice before it says WrongPassword.
 */
export function ownPasswords({ world, limits, passwords }: Entrance) {
  const matching = async (userId: number, password: string): Promise<string | Refusal> => {
    const stored = world.read.get(userById, { id: userId })?.passwordHash ?? null
    const isRight = await passwords.matches(password, stored)
    if (typeof isRight !== 'boolean') return isRight
    return isRight && stored !== null ? stored : refuse('WrongPassword')
  }
  const matchingAnywhere = async (userId: number, password: string): Promise<string | Refusal> => {
    const found = await matching(userId, password)
    const isSure = typeof found === 'string' || found.body.code !== 'WrongPassword'
    if (isSure || world.footing.role() === 'primary') return found
    return (await world.footing.isFresh()) ? matching(userId, password) : refuse('RegionCut')
  }
  return {
    hash: (password: string) => passwords.hash(password),
    check: async ({ userId }: Actor, password: string, address: string): Promise<string | Refusal> => {
      const name = world.read.get(userById, { id: userId })?.foldedName
      if (name === undefined) return refuse('SessionEnded')
      const waitMs = limits.tryPassword(name, address)
      if (waitMs > 0) return refuse('RateLimited', { waitMs })
      const found = await matchingAnywhere(userId, password)
      if (typeof found === 'string') limits.succeeded(name, address)
      else if (found.body.code !== 'WrongPassword') limits.withdrawn(name, address)
      return found
    },
  }
}
