import { addressGroup } from '../http/client-address.ts'
import { createLimiter } from '../http/limits.ts'
import type { Settings } from '../settings.ts'

const MINUTE_MS = 60_000
/** Whole households and mobile networks share one address: none is stopped below 60 entries a minute. */
const ENTRIES_PER_MINUTE = 60
/** Whoever registers leaves a row for good and costs a hash. */
const SIGN_UPS_PER_MINUTE = 30
const LOOKUPS_PER_MINUTE = 120
/** Wrong passwords for one name from one address: after 5, one more a minute. */
const FAILURES = { points: 5, perMs: 5 * MINUTE_MS }
/** Wrong passwords for one name from everywhere: after 50, one more every 6 seconds. */
const FAILURES_EVERYWHERE = { points: 50, perMs: 5 * MINUTE_MS }
/** A guest who goes on with another gender is shown anew to everyone: as often as members may change their profile. */
const NEW_GENDERS = { points: 30, perMs: 5 * MINUTE_MS }
const MAX_FAMILIAR = 10_000

export interface EntryLimits {
  /** Somebody at this address wants to enter: how many milliseconds to wait first, 0 for none. */
  enter(address: string): number
  /** Somebody at this address wants to become a member. */
  signUp(address: string): number
  /** Somebody at this address looks a name up. */
  lookUp(address: string): number
  /** A guest goes on with another gender. */
  newGender(userId: number): number
  /** A password is about to be tried. It counts as a failure until `succeeded` or `withdrawn` says otherwise. */
  tryPassword(foldedName: string, address: string): number
  succeeded(foldedName: string, address: string): void
  /** The password was not tried after all. */
  withdrawn(foldedName: string, address: string): void
}

/**
 * How often one may try to enter. Failures count by name and address, so that guessing from elsewhere does not shut
 * the owner out; and, more loosely, by name alone, which an address that the owner has used before is free of.
 * A name that nobody holds is treated like any other.
 */
export function createEntryLimits({ limitScale }: Pick<Settings, 'limitScale'>, clock: () => number): EntryLimits {
  const limiter = (limit: { points: number; perMs: number }) =>
    createLimiter({ points: limit.points * limitScale, perMs: limit.perMs })
  const entries = limiter({ points: ENTRIES_PER_MINUTE, perMs: MINUTE_MS })
  const signUps = limiter({ points: SIGN_UPS_PER_MINUTE, perMs: MINUTE_MS })
  const lookups = limiter({ points: LOOKUPS_PER_MINUTE, perMs: MINUTE_MS })
  const newGenders = limiter(NEW_GENDERS)
  const failures = limiter(FAILURES)
  const failuresEverywhere = limiter(FAILURES_EVERYWHERE)
  const familiar = new Set<string>()

  const pair = (foldedName: string, address: string) => `${addressGroup(address)} ${foldedName}`
  const withdrawn = (foldedName: string, address: string) => {
    const key = pair(foldedName, address)
    failures.giveBack(key, clock())
    if (!familiar.has(key)) failuresEverywhere.giveBack(foldedName, clock())
  }
  return {
    enter: (address) => entries.take(addressGroup(address), clock()),
    signUp: (address) => signUps.take(addressGroup(address), clock()),
    lookUp: (address) => lookups.take(addressGroup(address), clock()),
    newGender: (userId) => newGenders.take(String(userId), clock()),
    tryPassword: (foldedName, address) => {
      const key = pair(foldedName, address)
      const waitMs = failures.take(key, clock())
      if (waitMs > 0 || familiar.has(key)) return waitMs
      const waitEverywhereMs = failuresEverywhere.take(foldedName, clock())
      if (waitEverywhereMs > 0) failures.giveBack(key, clock())
      return waitEverywhereMs
    },
    succeeded: (foldedName, address) => {
      withdrawn(foldedName, address)
      const key = pair(foldedName, address)
      familiar.delete(key)
      familiar.add(key)
      const [oldest] = familiar
      if (familiar.size > MAX_FAMILIAR && oldest !== undefined) familiar.delete(oldest)
    },
    withdrawn,
  }
}
