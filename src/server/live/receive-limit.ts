import { type BucketRate, TokenBucket } from '../limits/token-bucket.ts'

/** Bytes of one connection: 1 MiB at once, then 128 KiB a second. */
const BYTE_RATE: BucketRate = { points: 1024 * 1024, perMs: 8_000 }
/** What a chunk or a frame costs besides its bytes: a small one takes as much work as a larger one. */
const OVERHEAD_BYTES = 512
/** Pings and pongs of one connection: 60 at once, then 2 a second. Browsers send only pongs, two a minute. */
const CONTROL_RATE: BucketRate = { points: 60, perMs: 30_000 }
/** Cost of all that is sent before hello is answered: one frame of the largest size in small chunks. */
const MAX_EARLY_BYTES = 128 * 1024

/**
 * What one connection may send, whatever its frames say: `receiveFrame` bounds commands, and this bounds what costs work
 * before there is a command. All functions return whether it is within the limit; `now` in milliseconds.
 */
export class ReceiveLimit {
  private readonly bytes: TokenBucket
  private readonly controlFrames: TokenBucket
  private earlyBytesLeft: number

  /** @param scale how many times the usual rate is allowed (settings, `limitScale`) */
  constructor(scale: number) {
    this.bytes = new TokenBucket({ ...BYTE_RATE, points: BYTE_RATE.points * scale })
    this.controlFrames = new TokenBucket({ ...CONTROL_RATE, points: CONTROL_RATE.points * scale })
    this.earlyBytesLeft = MAX_EARLY_BYTES * scale
  }

  /** Counts bytes that were read from the socket at once. */
  consumeChunk(byteLength: number, isEarly: boolean, now: number): boolean {
    return this.consume(byteLength + OVERHEAD_BYTES, isEarly, now)
  }

  /** Counts a message, whose bytes its chunks have paid. */
  consumeMessage(isEarly: boolean, now: number): boolean {
    return this.consume(OVERHEAD_BYTES, isEarly, now)
  }

  /** Counts a ping or a pong. */
  consumeControlFrame(now: number): boolean {
    return this.controlFrames.consume(now) === 0
  }

  private consume(cost: number, isEarly: boolean, now: number): boolean {
    if (isEarly) this.earlyBytesLeft -= cost
    return (!isEarly || this.earlyBytesLeft >= 0) && this.bytes.consume(now, cost) === 0
  }
}
