import { LRUCache } from 'lru-cache'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { addressGroup } from '../../http/client-address.ts'
import { createRateLimiter } from '../../limits/rate-limiter.ts'
import type { BucketRate } from '../../limits/token-bucket.ts'
import type { Settings } from '../../settings.ts'

const MINUTE_MS = 60_000
/** High, because households and mobile networks share one address. */
const SIGN_INS = { points: 60, perMs: MINUTE_MS }
/** Lower, because a sign-up costs a password hash and a permanent row. */
const SIGN_UPS = { points: 30, perMs: MINUTE_MS }
const NAME_LOOKUPS = { points: 120, perMs: MINUTE_MS }
/** Wrong passwords per name and address: a burst of 5, then one per minute. */
const FAILURES_PER_NAME_AND_ADDRESS = { points: 5, perMs: 5 * MINUTE_MS }
/** Wrong passwords per name from all addresses: a burst of 50, then one every 6 seconds. */
const FAILURES_PER_NAME = { points: 50, perMs: 5 * MINUTE_MS }
/** A guest's gender change is sent to everyone, so it has the limit of profile updates. */
const GENDER_CHANGES = { points: 30, perMs: 5 * MINUTE_MS }
/** Remembered pairs of name and address that have signed in successfully. */
const MAX_TRUSTED_PAIRS = 10_000

/** Each `consume` function returns the milliseconds to wait; 0 means allowed. */
export interface SignInLimits {
  consumeSignIn(address: string): number
  consumeSignUp(address: string): number
  consumeNameLookup(address: string): number
  consumeGenderChange(userId: UserId): number
  /** Call before a password is verified. It counts as a failure until `recordPasswordSuccess` or `refundPasswordAttempt`. */
  consumePasswordAttempt(foldedName: string, address: string): number
  recordPasswordSuccess(foldedName: string, address: string): void
  /** The password was not verified, for example because the hash queue was full. */
  refundPasswordAttempt(foldedName: string, address: string): void
}

/**
 * Rate limits of sign-in. Failures count per name and address, so that guesses from elsewhere do not lock the owner out,
 * and with a higher limit per name alone, except from an address where the password was right before.
 * An unknown name is limited like a known one. `limitScale` multiplies all limits.
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
