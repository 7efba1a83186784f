import { FrameHead, rawFrame, repeatFrame } from '../../src/server/testing/fixtures/raw-websocket.ts'
import type { SeededRandom } from '../../src/server/testing/simulation/seeded-random.ts'

type Mutation = (random: SeededRandom, payload: Buffer, all: readonly Buffer[]) => Uint8Array

/** Heads of MessagePack values, some with a wrong length. */
const HEADS = [
  0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xc0, 0xc1, 0xc3, 0xc6, 0xc7, 0xcb, 0xcf, 0xd3, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xff,
]
const MAX_FRAME_LENGTH = 60_000

/** The mutations of a valid payload. */
const mutations: readonly Mutation[] = [
  // Bits flipped.
  (random, payload) => {
    const changed = Buffer.from(payload)
    for (let count = random.integer(1, 8); count > 0; count--) {
      const at = random.integer(0, changed.length - 1)
      changed[at] = (changed[at] ?? 0) ^ (1 << random.integer(0, 7))
    }
    return changed
  },
  // Truncated.
  (random, payload) => payload.subarray(0, random.integer(0, payload.length - 1)),
  // Another type.
  (random, payload) => {
    const changed = Buffer.from(payload)
    changed[random.integer(0, changed.length - 1)] = random.pick(HEADS)
    return changed
  },
  // Another length.
  (random, payload) => {
    const at = random.integer(0, payload.length - 1)
    const length = Buffer.from([random.pick([0xc6, 0xdb, 0xdd, 0xdf]), random.pick([0, 0x7f, 0xff]), 0xff, 0xff, 0xff])
    return Buffer.concat([payload.subarray(0, at), length, payload.subarray(at)])
  },
  // Another id.
  (random, payload) => {
    const id = random.pick([
      [0],
      [1],
      [0xff],
      [0xce, 0xff, 0xff, 0xff, 0xff],
      [0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0],
      [0xc0],
    ])
    return Buffer.concat([payload.subarray(0, 2), Buffer.from(id), payload.subarray(3)])
  },
  // Joined with another payload.
  (random, payload, all) => {
    const other = random.pick(all)
    return Buffer.concat([
      payload.subarray(0, random.integer(0, payload.length)),
      other.subarray(random.integer(0, other.length)),
    ])
  },
  // Many in one frame.
  (random, payload) =>
    repeatFrame(payload, Math.min(random.integer(2, 200), Math.floor(MAX_FRAME_LENGTH / payload.length))),
  // Random bytes.
  (random) => Buffer.from(Array.from({ length: random.integer(0, 400) }, () => random.integer(0, 255))),
  // A bomb: deep, or long by its head alone, or of many values.
  (random) =>
    random.pick([
      Buffer.alloc(50_000, 0x91),
      Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]),
      Buffer.concat([Buffer.from([0xdf, 0, 0, 0x80, 0]), Buffer.alloc(MAX_FRAME_LENGTH, 0xa1)]),
      Buffer.concat([Buffer.from([0xdc, 0xea, 0x60]), Buffer.alloc(MAX_FRAME_LENGTH, 0xc0)]),
    ]),
]

/** Half of the payloads stay valid, because most invalid ones end the connection. */
export function mutate(random: SeededRandom, all: readonly Buffer[]): Uint8Array {
  const payload = random.pick(all)
  return random.isLikely(0.5) ? payload : random.pick(mutations)(random, payload, all)
}

/** The bytes of a WebSocket message, in one piece or in fragments with pings between them. */
export function wellFormedMessage(random: SeededRandom, payload: Uint8Array): Buffer {
  if (random.isLikely(0.7)) return rawFrame(random.isLikely(0.95) ? FrameHead.binary : FrameHead.text, payload)
  const cuts = Array.from({ length: random.integer(1, 6) }, () => random.integer(0, payload.length)).toSorted(
    (a, b) => a - b,
  )
  const starts = [0, ...cuts]
  const frames = starts.flatMap((start, index) => {
    const isLast = index === starts.length - 1
    const head = isLast ? FrameHead.lastContinuation : index === 0 ? FrameHead.unfinishedBinary : FrameHead.continuation
    const frame = rawFrame(head, payload.subarray(start, starts[index + 1] ?? payload.length))
    return random.isLikely(0.2) ? [rawFrame(FrameHead.ping), frame] : [frame]
  })
  return Buffer.concat(frames)
}

/** Messages whose heads, masks or lengths are wrong, or which break off. */
export function malformedMessages(random: SeededRandom, messages: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(messages)
  for (let count = random.integer(0, 4); count > 0 && bytes.length > 0; count--) {
    bytes[random.integer(0, Math.min(20, bytes.length) - 1)] = random.integer(0, 255)
  }
  return bytes.subarray(0, random.integer(0, bytes.length))
}
