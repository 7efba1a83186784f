import { addressGroup } from '../../http/client-address.ts'
import { createRateLimiter } from '../../http/rate-limiter.ts'
import type { Settings } from '../../settings.ts'

const MINUTE_MS = 60_000
/** Whole households and mobile networks share one address: none is stopped below 60 entries a minute. */
const SIGN_INS_PER_MINUTE = 60
/** Whoever registers leaves a row for good and costs a hash. */
const SIGN_UPS_PER_MINUTE = 30
const NAME_LOOKUPS_PER_MINUTE = 120
/** Wrong passwords for one name from one address: after 5, one more a minute. */
const FAILURES_PER_NAME_AND_ADDRESS = { points: 5, perMs: 5 * MINUTE_MS }
/** Wrong passwords for one name from everywhere: after 50, one more every 6 seconds. */
const FAILURES_PER_NAME = { points: 50, perMs: 5 * MINUTE_MS }
/** A guest who goes on with another gender is shown anew to everyone: as often as members may change their profile. */
const GENDER_CHANGES = { points: 30, perMs: 5 * MINUTE_MS }
const MAX_TRUSTED_PAIRS = 10_000

export interface SignInLimits {
  /** Somebody at this address wants to enter: how many milliseconds to wait first, 0 for none. */
  consumeSignIn(address: string): number
  /** Somebody at this address wants to become a member. */
  consumeSignUp(address: string): number
  /** Somebody at this address looks a name up. */
  consumeNameLookup(address: string): number
  /** A guest goes on with another gender. */
  consumeGenderChange(userId: number): number
  /** A password is about to be tried. It counts as a failure until `succeeded` or `withdrawn` says otherwise. */
  consumePasswordAttempt(foldedName: string, address: string): number
  recordPasswordSuccess(foldedName: string, address: string): void
  /** The password was not tried after all. */
  refundPasswordAttempt(foldedName: string, address: string): void
}

/**
 * How often one may try to enter. Failures count by name and address, so that guessing from elsewhere does not shut
 * the owner out; and, more loosely, by name alone, which an address that the owner has used before is free of.
 * A name that nobody holds is treated like any other.
 */
export function createSignInLimits({ limitScale }: Pick<Settings, 'limitScale'>, clock: () => number): SignInLimits {
  const limiter = (limit: { points: number; perMs: number }) =>
    createRateLimiter({ points: limit.points * limitScale, perMs: limit.perMs })
  const entries = limiter({ points: SIGN_INS_PER_MINUTE, perMs: MINUTE_MS })
  const signUps = limiter({ points: SIGN_UPS_PER_MINUTE, perMs: MINUTE_MS })
  const lookups = limiter({ points: NAME_LOOKUPS_PER_MINUTE, perMs: MINUTE_MS })
  const newGenders = limiter(GENDER_CHANGES)
  const failures = limiter(FAILURES_PER_NAME_AND_ADDRESS)
  const failuresEverywhere = limiter(FAILURES_PER_NAME)
  const familiar = new Set<string>()

  const pair = (foldedName: string, address: string) => `${addressGroup(address)} ${foldedName}`
  const withdrawn = (foldedName: string, address: string) => {
    const key = pair(foldedName, address)
    failures.refund(key, clock())
    if (!familiar.has(key)) failuresEverywhere.refund(foldedName, clock())
  }
  return {
    consumeSignIn: (address) => entries.consume(addressGroup(address), clock()),
    consumeSignUp: (address) => signUps.consume(addressGroup(address), clock()),
    consumeNameLookup: (address) => lookups.consume(addressGroup(address), clock()),
    consumeGenderChange: (userId) => newGenders.consume(String(userId), clock()),
    consumePasswordAttempt: (foldedName, address) => {
      const key = pair(foldedName, address)
      const waitMs = failures.consume(key, clock())
      if (waitMs > 0 || familiar.has(key)) return waitMs
      const waitEverywhereMs = failuresEverywhere.consume(foldedName, clock())
      if (waitEverywhereMs > 0) failures.refund(key, clock())
      return waitEverywhereMs
    },
    recordPasswordSuccess: (foldedName, address) => {
      withdrawn(foldedName, address)
      const key = pair(foldedName, address)
      familiar.delete(key)
      familiar.add(key)
      const [oldest] = familiar
      if (familiar.size > MAX_TRUSTED_PAIRS && oldest !== undefined) familiar.delete(oldest)
    },
    refundPasswordAttempt: withdrawn,
  }
}
