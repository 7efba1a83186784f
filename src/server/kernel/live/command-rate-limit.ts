import type { PersonLimit } from '../../../shared/protocol/define.ts'
import { addressGroup } from '../http/client-address.ts'
import type { PersonLimiters } from '../limits/person-limiters.ts'
import { TokenBucket } from '../limits/token-bucket.ts'

/** Commands of one connection: 60 at once, then 20 a second. */
const COMMAND_RATE = { points: 60, perMs: 3_000 }
/** More refusals than this, without a pause that half fills the bucket, close the connection. */
const MAX_CONSECUTIVE_REFUSALS = 200
/** Commands of one connection that are not answered yet. Their rate alone does not bound them while writes wait. */
const MAX_WAITING_COMMANDS = 128

/** Commands of all connections of one address: 2,000 at once, then 400 a second. */
const ADDRESS_COMMAND_LIMIT: PersonLimit = { points: 2_000, perMs: 5_000 }

interface LimitedConnection {
  readonly rateLimit: CommandRateLimit
  /** Null when it is unknown. */
  readonly address: string | null
}

/** Takes a point of the connection and one of its address. Returns whether there were both; `now` in epoch milliseconds. */
export function consumeCommand(
  personLimiters: PersonLimiters,
  { rateLimit, address }: LimitedConnection,
  now: number,
): boolean {
  if (!rateLimit.tryConsume(now)) return false
  if (address === null) return true
  const charge = { limit: ADDRESS_COMMAND_LIMIT, key: addressGroup(address), points: 1 }
  return personLimiters.consumeAll([charge], now) === 0
}

/** The command rate of one connection, and how many of its commands wait for their answers. */
export class CommandRateLimit {
  private readonly bucket: TokenBucket
  private readonly maxWaiting: number
  private waiting = 0
  private refusals = 0
  private lastNow = 0
  private elapsedMs = 0

  /** @param scale how many times the usual rate is allowed (config, `limitScale`) */
  constructor(scale: number) {
    this.bucket = new TokenBucket({ ...COMMAND_RATE, points: COMMAND_RATE.points * scale })
    this.maxWaiting = MAX_WAITING_COMMANDS * scale
  }

  beginCommand(): void {
    this.waiting++
  }

  endCommand(): void {
    this.waiting--
  }

  /** Whether more commands wait for their answers than may. */
  hasTooManyWaiting(): boolean {
    return this.waiting > this.maxWaiting
  }

  /** Takes a point if there is one; `now` in epoch milliseconds. */
  tryConsume(now: number): boolean {
    // Only forward time counts, so that a clock set back does not empty the bucket.
    this.elapsedMs += Math.max(0, now - this.lastNow)
    this.lastNow = now
    if (this.bucket.consume(this.elapsedMs) > 0) {
      this.refusals++
      return false
    }
    if (this.bucket.isHalfFull(this.elapsedMs)) this.refusals = 0
    return true
  }

  isAbusive(): boolean {
    return this.refusals > MAX_CONSECUTIVE_REFUSALS
  }
}
