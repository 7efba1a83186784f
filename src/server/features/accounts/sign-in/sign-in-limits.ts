import type { UserId } from '../../../../shared/protocol/ids.ts'
import type { Config } from '../../../kernel/config.ts'
import { addressGroup } from '../../../kernel/http/client-address.ts'
import { createRateLimiter } from '../../../kernel/limits/rate-limiter.ts'
import type { BucketRate } from '../../../kernel/limits/token-bucket.ts'

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
/** Wrong passwords from one familiar device: a burst of 5, then one per minute. Further ones count as a stranger's. */
const FAILURES_OF_DEVICE = { points: 5, perMs: 5 * MINUTE_MS }

/** Whose password is tried from where. `device` is the familiar device of the account, or null. */
export interface PasswordSource {
  foldedName: string
  address: string
  device: string | null
}

/** Counts as a failure until it is refunded. */
export interface PasswordAttempt {
  /** Milliseconds to wait; 0 means allowed. */
  waitMs: number
  /** Whether it counts for the familiar device, and not as a stranger's. */
  isFamiliar: boolean
  /** The password was right, or was not verified, for example because the hash queue was full. */
  refund(): void
}

/** Each `consume` function returns the milliseconds to wait; 0 means allowed. */
export interface SignInLimits {
  /** @param familiarName the folded name of the account that the device is familiar to; it counts instead of the address */
  consumeSignIn(address: string, familiarName?: string | null): number
  consumeSignUp(address: string): number
  consumeNameLookup(address: string): number
  consumeGenderChange(userId: UserId): number
  /** Call before a password is verified. */
  attemptPassword(source: PasswordSource): PasswordAttempt
}

/**
 * Rate limits of sign-in. Failures count per name and address, so that guesses from elsewhere do not lock the owner out,
 * and with a higher limit per name alone. Those of a familiar device count for the device, so that strangers never lock it
 * out (docs/decisions/0060-password-queues.md). An unknown name is limited like a known one. `limitScale` multiplies all limits.
 */
export function createSignInLimits({ limitScale }: Pick<Config, 'limitScale'>, clock: () => number): SignInLimits {
  const limiter = ({ points, perMs }: BucketRate) => createRateLimiter({ points: points * limitScale, perMs })
  const signIns = limiter(SIGN_INS)
  const signUps = limiter(SIGN_UPS)
  const nameLookups = limiter(NAME_LOOKUPS)
  const genderChanges = limiter(GENDER_CHANGES)
  const failures = limiter(FAILURES_PER_NAME_AND_ADDRESS)
  const failuresEverywhere = limiter(FAILURES_PER_NAME)
  const failuresOfDevice = limiter(FAILURES_OF_DEVICE)

  const attemptAsStranger = ({ foldedName, address }: PasswordSource): PasswordAttempt => {
    const pair = `${addressGroup(address)} ${foldedName}`
    const waitMs = failures.consume(pair, clock())
    if (waitMs > 0) return { waitMs, isFamiliar: false, refund: () => {} }
    const waitEverywhereMs = failuresEverywhere.consume(foldedName, clock())
    if (waitEverywhereMs > 0) failures.refund(pair)
    const refund = () => {
      failures.refund(pair)
      failuresEverywhere.refund(foldedName)
    }
    return { waitMs: waitEverywhereMs, isFamiliar: false, refund }
  }
  return {
    consumeSignIn: (address, familiarName) => {
      const isWithinOwn = familiarName != null && signIns.consume(`name ${familiarName}`, clock()) === 0
      return isWithinOwn ? 0 : signIns.consume(addressGroup(address), clock())
    },
    consumeSignUp: (address) => signUps.consume(addressGroup(address), clock()),
    consumeNameLookup: (address) => nameLookups.consume(addressGroup(address), clock()),
    consumeGenderChange: (userId) => genderChanges.consume(String(userId), clock()),
    attemptPassword: (source) => {
      const { device } = source
      if (device === null || failuresOfDevice.consume(device, clock()) > 0) return attemptAsStranger(source)
      return { waitMs: 0, isFamiliar: true, refund: () => failuresOfDevice.refund(device) }
    },
  }
}
