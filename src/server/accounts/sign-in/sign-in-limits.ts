import { LRUCache } from 'lru-cache'
import { addressGroup } from '../../http/client-address.ts'
import { createRateLimiter } from '../../limits/rate-limiter.ts'
import type { BucketRate } from '../../limits/token-bucket.ts'
import type { Settings } from '../../settings.ts'

const MINUTE_MS = 60_000
/** Households and mobile networks share one address, so the limit is generous. */
const SIGN_INS = { points: 60, perMs: MINUTE_MS }
/** A registration costs a password hash and a row that stays. */
const SIGN_UPS = { points: 30, perMs: MINUTE_MS }
const NAME_LOOKUPS = { points: 120, perMs: MINUTE_MS }
/** Wrong passwords for one name from one address: after 5, one more a minute. */
const FAILURES_PER_NAME_AND_ADDRESS = { points: 5, perMs: 5 * MINUTE_MS }
/** Wrong passwords for one name from everywhere: after 50, one more every 6 seconds. */
const FAILURES_PER_NAME = { points: 50, perMs: 5 * MINUTE_MS }
/** A guest's change of gender is sent to everyone, so it is limited as a member's profile changes are. */
const GENDER_CHANGES = { points: 30, perMs: 5 * MINUTE_MS }
/** Pairs of name and address from which a password was right. */
const MAX_TRUSTED_PAIRS = 10_000

export interface SignInLimits {
  /** Somebody at this address signs in: how many milliseconds to wait first, 0 for none. */
  consumeSignIn(address: string): number
  /** Somebody at this address registers. */
  consumeSignUp(address: string): number
  /** Somebody at this address looks a name up. */
  consumeNameLookup(address: string): number
  /** A guest goes on with another gender. */
  consumeGenderChange(userId: number): number
  /** A password is about to be tried. It counts as a failure until its success or its refund. */
  consumePasswordAttempt(foldedName: string, address: string): number
  recordPasswordSuccess(foldedName: string, address: string): void
  /** The password was not tried after all. */
  refundPasswordAttempt(foldedName: string, address: string): void
}

/**
 * How often one may try to sign in. Failures count by name and address, so that guessing from elsewhere does not lock the
 * owner out; and, more loosely, by name alone, except from an address that the owner has signed in from before.
 * A name that nobody holds is treated like any other.
 */
export function createSignInLimits({ limitScale }: Pick<Settings, 'limitScale'>, clock: () => number): SignInLimits {
  const limiter = ({ points, perMs }: BucketRate) => createRateLimiter({ points: points * limitScale, perMs })
  const signIns = limiter(SIGN_INS)
  const signUps = limiter(SIGN_UPS)
  const nameLookups = limiter(NAME_LOOKUPS)
  const genderChanges = limiter(GENDER_CHANGES)
  const failures = limiter(FAILURES_PER_NAME_AND_ADDRESS)
  const failuresEverywhere = limiter(FAILURES_PER_NAME)
  const trustedPairs = new LRUCache<string, true>({ max: MAX_TRUSTED_PAIRS })

  const pairOf = (foldedName: string, address: string) => `${addressGroup(address)} ${foldedName}`
  const refund = (foldedName: string, address: string) => {
    const pair = pairOf(foldedName, address)
    failures.refund(pair)
    if (!trustedPairs.has(pair)) failuresEverywhere.refund(foldedName)
  }
  return {
    consumeSignIn: (address) => signIns.consume(addressGroup(address), clock()),
    consumeSignUp: (address) => signUps.consume(addressGroup(address), clock()),
    consumeNameLookup: (address) => nameLookups.consume(addressGroup(address), clock()),
    consumeGenderChange: (userId) => genderChanges.consume(String(userId), clock()),
    consumePasswordAttempt: (foldedName, address) => {
      const pair = pairOf(foldedName, address)
      const waitMs = failures.consume(pair, clock())
      if (waitMs > 0 || trustedPairs.has(pair)) return waitMs
      const waitEverywhereMs = failuresEverywhere.consume(foldedName, clock())
      if (waitEverywhereMs > 0) failures.refund(pair)
      return waitEverywhereMs
    },
    recordPasswordSuccess: (foldedName, address) => {
      refund(foldedName, address)
      trustedPairs.set(pairOf(foldedName, address), true)
    },
    refundPasswordAttempt: refund,
  }
}
