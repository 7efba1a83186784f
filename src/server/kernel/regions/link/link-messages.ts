import { Decoder } from '@msgpack/msgpack'
import * as v from 'valibot'
import { type RefusalBody, type RefusalCode, refusals } from '../../../../shared/protocol/refusals.ts'
import type { CommandEnvelope } from '../../database/commands/command-envelope.ts'

/** The largest frame of a link, in bytes. */
export const MAX_FRAME_BYTES = 1024 * 1024

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const name = v.pipe(v.string(), v.maxLength(64))
const map = v.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
const position = v.object({ txid: v.pipe(v.string(), v.maxLength(16)), seq: count })
const envelope = v.object({
  command: v.string(), // the primary refuses unknown names
  actor: v.nullable(v.object({ userId: count, sessionId: count })),
  input: map,
  clientId: v.nullable(v.string()),
}) satisfies v.GenericSchema<unknown, CommandEnvelope>
const knownCodes = Object.keys(refusals) as RefusalCode[] // its keys are the codes
const refusal = v.object({
  code: v.fallback(v.picklist(knownCodes), 'Failed'), // newer code may have more refusals
  message: v.string(),
  path: v.exactOptional(v.string()),
  waitMs: v.exactOptional(v.number()),
  price: v.exactOptional(v.number()),
  missing: v.exactOptional(v.number()),
}) satisfies v.GenericSchema<unknown, RefusalBody>

const replicaSchemas = {
  /** Once a second; answered by `pong`. */
  ping: v.object({ kind: v.literal('ping'), id: count }),
  command: v.object({ kind: v.literal('command'), id: count, envelope, awaitReplicaAck: v.boolean() }),
  /** The replica's replication position, at most 50 times a second while it changes. */
  position: v.object({ kind: v.literal('position'), position }),
  /** Asks for the primary's position. */
  getPosition: v.object({ kind: v.literal('getPosition'), id: count }),
  /** For one region, or `all` others. */
  relay: v.object({ kind: v.literal('relay'), to: name, topic: name, payload: v.unknown() }),
}

const primarySchemas = {
  /** The time of the cluster clock, in epoch milliseconds. */
  pong: v.object({ kind: v.literal('pong'), id: count, clock: v.pipe(v.number(), v.finite()) }),
  answer: v.object({
    kind: v.literal('answer'),
    id: count,
    answer: v.exactOptional(map),
    refusal: v.exactOptional(refusal),
    position,
  }),
  /** Not the primary any more: the command may have run or not. */
  indeterminate: v.object({ kind: v.literal('indeterminate'), id: count }),
  /** An answer to `getPosition`; with id 0 it is sent once a second. */
  position: v.object({ kind: v.literal('position'), id: count, position }),
  relay: v.object({ kind: v.literal('relay'), from: name, topic: name, payload: v.unknown() }),
  /** The regions that are linked now, the primary among them. */
  regions: v.object({ kind: v.literal('regions'), regions: v.array(name) }),
  /** The primary stops: take the lease over once you have this position. */
  handOver: v.object({ kind: v.literal('handOver'), position }),
}

/** From a replica to the primary. */
export type ReplicaFrame = v.InferOutput<(typeof replicaSchemas)[keyof typeof replicaSchemas]>
/** From the primary to a replica. */
export type PrimaryFrame = v.InferOutput<(typeof primarySchemas)[keyof typeof primarySchemas]>
/** Without the pings and pongs, which the ends of a link handle themselves. */
export type ReplicaMessage = Exclude<ReplicaFrame, { kind: 'ping' }>
export type PrimaryMessage = Exclude<PrimaryFrame, { kind: 'pong' }>

/** The message of a frame; `unknown` for a kind that only other code has, null when it is malformed. */
export type MessageParser<M> = (frame: Uint8Array) => M | 'unknown' | null

export const parseReplicaFrame: MessageParser<ReplicaFrame> = createParser<ReplicaFrame>(replicaSchemas)
export const parsePrimaryFrame: MessageParser<PrimaryFrame> = createParser<PrimaryFrame>(primarySchemas)

function createParser<M>(schemas: Record<string, v.GenericSchema<unknown, M>>): MessageParser<M> {
  return (frame) => {
    const message = tryDecode(frame)
    if (typeof message !== 'object' || message === null || !('kind' in message)) return null
    if (typeof message.kind !== 'string') return null
    const schema = Object.hasOwn(schemas, message.kind) ? schemas[message.kind] : undefined
    if (!schema) return 'unknown'
    const read = v.safeParse(schema, message)
    return read.success ? read.output : null
  }
}

/** An authenticated region may still have bugs: lengths beyond the size of a frame are rejected. */
const decoder = new Decoder({
  maxStrLength: MAX_FRAME_BYTES,
  maxBinLength: MAX_FRAME_BYTES,
  maxArrayLength: MAX_FRAME_BYTES,
  maxMapLength: MAX_FRAME_BYTES,
  maxExtLength: 16,
})

function tryDecode(frame: Uint8Array): unknown {
  try {
    return decoder.decode(frame)
  } catch {
    return null
  }
}
