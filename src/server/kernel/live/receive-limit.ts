import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { PersonLimit } from '../../../shared/protocol/define.ts'
import { CloseCode } from '../../../shared/protocol/frame.ts'
import type { AppContext } from '../app-context.ts'
import { addressGroup } from '../http/client-address.ts'
import { type BucketRate, TokenBucket } from '../limits/token-bucket.ts'
import { type Connection, isOpen } from './connection.ts'

/** Bytes of one connection: 1 MiB at once, then 128 KiB a second. */
const BYTE_RATE: BucketRate = { points: 1024 * 1024, perMs: 8_000 }
/** Bytes of all connections of one address: 4 MiB at once, then 1 MiB a second. */
const ADDRESS_BYTE_LIMIT: PersonLimit = { points: 4 * 1024 * 1024, perMs: 4_000 }
/** What a chunk or a frame costs besides its bytes: a small one takes as much work as a larger one. */
const OVERHEAD_BYTES = 512
/** Pings and pongs of one connection: 60 at once, then 2 a second. Browsers send only pongs, two a minute. */
const CONTROL_RATE: BucketRate = { points: 60, perMs: 30_000 }
/** Cost of all that is sent before hello is answered: one frame of the largest size in small chunks. */
const MAX_EARLY_BYTES = 128 * 1024
/** Time for the close frame to arrive at a client that sent too much, while nothing is read. */
const EXCESS_CLOSE_TIMEOUT_MS = 250

/** Closes a connection that sends more than `ReceiveLimit` allows, and reads no more of it. */
export function limitReceiving(appContext: AppContext, connection: Connection, ws: WebSocket, socket: Duplex): void {
  const { config, personLimiters, publisher, monotonicNow: now } = appContext
  const key = connection.address && addressGroup(connection.address)
  const limit = new ReceiveLimit(
    config.limitScale,
    (points) => !key || personLimiters.consumeAll([{ limit: ADDRESS_BYTE_LIMIT, key, points }], now()) === 0,
  )
  const isEarly = () => !connection.isClosed && !isOpen(connection)
  const check = (isWithinLimit: boolean) => {
    if (isWithinLimit || ws.isPaused) return
    publisher.endConnection(connection, CloseCode.rateLimited, 'sends too much')
    ws.pause()
    setTimeout(() => ws.terminate(), EXCESS_CLOSE_TIMEOUT_MS).unref()
  }
  // Before the listeners of ws and of the route, which handle the frames.
  socket.prependListener('data', (chunk: Buffer) => check(limit.consumeChunk(chunk.length, isEarly(), now())))
  ws.prependListener('message', () => check(limit.consumeMessage(isEarly(), now())))
  ws.on('ping', () => check(limit.consumeControlFrame(now())))
  ws.on('pong', () => check(limit.consumeControlFrame(now())))
}

/**
 * What one connection may send, independent of the content of its frames: `receiveFrame` bounds commands, and this bounds
 * the work before there is a command. All functions return whether it is within the limit; `now` in milliseconds.
 */
export class ReceiveLimit {
  private readonly bytes: TokenBucket
  private readonly controlFrames: TokenBucket
  private readonly consumeOfAddress: (cost: number) => boolean
  private earlyBytesLeft: number

  /**
   * @param scale how many times the usual rate is allowed (config, `limitScale`)
   * @param consumeOfAddress counts bytes of all connections of the address
   */
  constructor(scale: number, consumeOfAddress: (cost: number) => boolean) {
    this.consumeOfAddress = consumeOfAddress
    this.bytes = new TokenBucket({ ...BYTE_RATE, points: BYTE_RATE.points * scale })
    this.controlFrames = new TokenBucket({ ...CONTROL_RATE, points: CONTROL_RATE.points * scale })
    this.earlyBytesLeft = MAX_EARLY_BYTES * scale
  }

  /** Counts bytes that were read from the socket at once. */
  consumeChunk(byteLength: number, isEarly: boolean, now: number): boolean {
    return this.consume(byteLength + OVERHEAD_BYTES, isEarly, now)
  }

  /** Counts a message, whose bytes were counted with its chunks. */
  consumeMessage(isEarly: boolean, now: number): boolean {
    return this.consume(OVERHEAD_BYTES, isEarly, now)
  }

  /** Counts a ping or a pong. */
  consumeControlFrame(now: number): boolean {
    return this.controlFrames.consume(now) === 0
  }

  private consume(cost: number, isEarly: boolean, now: number): boolean {
    if (isEarly) this.earlyBytesLeft -= cost
    if (isEarly && this.earlyBytesLeft < 0) return false
    return this.bytes.consume(now, cost) === 0 && this.consumeOfAddress(cost)
  }
}
