import { Decoder } from '@msgpack/msgpack'
import * as v from 'valibot'
import { type RefusalBody, type RefusalCode, refusals } from '../../../shared/protocol/refusals.ts'
import type { PrimaryMessage, ReplicaMessage } from './link-protocol.ts'

/** The largest frame of a line, its seal included, in bytes. */
export const MAX_FRAME_BYTES = 1024 * 1024

/** The dialler asks once a second what time it is at the hub, in epoch milliseconds of the site's clock. */
export type Ping = { kind: 'ping'; id: number }
export type Pong = { kind: 'pong'; id: number; clock: number }

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const name = v.pipe(v.string(), v.maxLength(64))
const map = v.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
const position = v.object({ txid: v.pipe(v.string(), v.maxLength(16)), seq: count })
const commandEnvelope = v.object({
  command: v.string(), // the primary refuses a name that it does not know
  actor: v.nullable(v.object({ userId: count, sessionId: count })),
  input: map,
  clientId: v.nullable(v.string()),
})
const knownCodes = Object.keys(refusals) as RefusalCode[] // its keys are the codes
const refusal = v.object({
  code: v.fallback(v.picklist(knownCodes), 'Failed'), // newer code may have reasons that this one lacks
  message: v.string(),
  path: v.exactOptional(v.string()),
  waitMs: v.exactOptional(v.number()),
}) satisfies v.GenericSchema<unknown, RefusalBody>

const replicaMessages = {
  ping: v.object({ kind: v.literal('ping'), id: count }),
  command: v.object({ kind: v.literal('command'), id: count, envelope: commandEnvelope, awaitReplicaAck: v.boolean() }),
  position: v.object({ kind: v.literal('position'), position }),
  getPosition: v.object({ kind: v.literal('getPosition'), id: count }),
  relay: v.object({ kind: v.literal('relay'), to: name, topic: name, payload: v.unknown() }),
} satisfies {
  [K in (ReplicaMessage | Ping)['kind']]: v.GenericSchema<unknown, Extract<ReplicaMessage | Ping, { kind: K }>>
}

const primaryMessages = {
  pong: v.object({ kind: v.literal('pong'), id: count, clock: v.pipe(v.number(), v.finite()) }),
  answer: v.object({
    kind: v.literal('answer'),
    id: count,
    answer: v.exactOptional(map),
    refusal: v.exactOptional(refusal),
    position,
  }),
  indeterminate: v.object({ kind: v.literal('indeterminate'), id: count }),
  position: v.object({ kind: v.literal('position'), id: count, position }),
  relay: v.object({ kind: v.literal('relay'), from: name, topic: name, payload: v.unknown() }),
  regions: v.object({ kind: v.literal('regions'), regions: v.array(name) }),
  handOver: v.object({ kind: v.literal('handOver'), position }),
} satisfies {
  [K in (PrimaryMessage | Pong)['kind']]: v.GenericSchema<unknown, Extract<PrimaryMessage | Pong, { kind: K }>>
}

/** What a frame's payload says; `unknown` for a kind that only other code knows, null when it is malformed. */
export type MessageParser<M> = (payload: Uint8Array) => M | 'unknown' | null

export const parseReplicaMessage: MessageParser<ReplicaMessage | Ping> = createParser<ReplicaMessage | Ping>(
  replicaMessages,
)
export const parsePrimaryMessage: MessageParser<PrimaryMessage | Pong> = createParser<PrimaryMessage | Pong>(
  primaryMessages,
)

function createParser<M>(kinds: Record<string, v.GenericSchema<unknown, M>>): MessageParser<M> {
  return (payload) => {
    const message = tryDecode(payload)
    if (typeof message !== 'object' || message === null || !('kind' in message)) return null
    if (typeof message.kind !== 'string') return null
    const schema = Object.hasOwn(kinds, message.kind) ? kinds[message.kind] : undefined
    if (!schema) return 'unknown'
    const read = v.safeParse(schema, message)
    return read.success ? read.output : null
  }
}

/** A region has proven itself, but it may have bugs: lengths beyond what a frame can hold are not believed. */
const decoder = new Decoder({
  maxStrLength: MAX_FRAME_BYTES,
  maxBinLength: MAX_FRAME_BYTES,
  maxArrayLength: MAX_FRAME_BYTES,
  maxMapLength: MAX_FRAME_BYTES,
  maxExtLength: 16,
})

function tryDecode(payload: Uint8Array): unknown {
  try {
    return decoder.decode(payload)
  } catch {
    return null
  }
}
