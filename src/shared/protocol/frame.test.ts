import { encode as pack } from '@msgpack/msgpack'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeClientFrame, decodeServerFrame, encode, Kind, MAX_FRAME_BYTES, type ServerValue } from './frame.ts'
import { refuse } from './refusals.ts'

const signal = pack([0, 'typing', { roomId: 1 }])
const request = pack([1, 7, 'getRooms', {}])

describe('a frame of a client', () => {
  it('[LIVE-01] decodes to a signal', () => {
    expect(decodeClientFrame(signal)).toEqual([[Kind.signal, 'typing', { roomId: 1 }]])
  })

  it.each([0, 1, 0xffff_ffff])('[LIVE-01] decodes to a request with the id %i', (id) => {
    expect(decodeClientFrame(pack([1, id, 'getRooms', {}]))).toEqual([[Kind.request, id, 'getRooms', {}]])
  })

  it('[LIVE-01] decodes to several values in order', () => {
    expect(decodeClientFrame(join(signal, request, signal))?.map(([kind]) => kind)).toEqual([0, 1, 0])
  })

  it('[LIVE-01] decodes bytes unchanged', () => {
    const [value] = decodeClientFrame(pack([0, 'ice', { data: Uint8Array.of(1, 2, 255) }])) ?? []
    expect(value?.[2]).toEqual({ data: Uint8Array.of(1, 2, 255) })
  })

  it('[LIVE-06] treats nil as absent, at any depth and as the payload', () => {
    expect(decodeClientFrame(pack([1, 1, 'a', { b: null, c: { d: null, e: [{ f: null, g: 0 }] } }]))).toEqual([
      [Kind.request, 1, 'a', { c: { e: [{ g: 0 }] } }],
    ])
    expect(decodeClientFrame(pack([0, 'a', null]))).toEqual([[Kind.signal, 'a', {}]])
  })

  it.each<[string, unknown]>([
    ['a map', { name: 'getRooms' }],
    ['text', 'getRooms'],
    ['nothing', null],
    ['an empty array', []],
    ['an answer', [2, 1, {}]],
    ['a refusal', [3, 1, {}]],
    ['an event', [4, 1, 'message', {}]],
    ['a moment', [5, 'cursor', {}]],
    ['another kind', [6, 'a', {}]],
    ['a kind that is text', ['1', 1, 'a', {}]],
    ['a signal without payload', [0, 'a']],
    ['a signal with something more', [0, 'a', {}, {}]],
    ['a request without id', [1, 'a', {}]],
    ['a request with something more', [1, 1, 'a', {}, 1]],
    ['an id below 0', [1, -1, 'a', {}]],
    ['an id above uint32', [1, 2 ** 32, 'a', {}]],
    ['half an id', [1, 1.5, 'a', {}]],
    ['NaN for an id', [1, Number.NaN, 'a', {}]],
    ['infinity for an id', [1, Number.POSITIVE_INFINITY, 'a', {}]],
    ['text for an id', [1, '1', 'a', {}]],
    ['nil for an id', [1, null, 'a', {}]],
    ['a number for a name', [1, 1, 1, {}]],
    ['a payload that is an array', [1, 1, 'a', []]],
    ['a payload that is text', [1, 1, 'a', 'b']],
    ['a payload that is binary', [1, 1, 'a', Uint8Array.of(1)]],
  ])('[LIVE-01] is refused when it is %s', (_, value) => {
    expect(decodeClientFrame(pack(value))).toBeNull()
    expect(decodeClientFrame(join(request, pack(value)))).toBeNull()
  })

  it('[LIVE-01] is refused when it is empty, cut short or followed by something else', () => {
    expect(decodeClientFrame(new Uint8Array())).toBeNull()
    for (let length = 1; length < request.length; length++) {
      expect(decodeClientFrame(request.subarray(0, length))).toBeNull()
      expect(decodeClientFrame(join(request, request.subarray(0, length)))).toBeNull()
    }
    expect(decodeClientFrame(join(request, Uint8Array.of(0xc1)))).toBeNull()
    expect(decodeClientFrame(join(request, Uint8Array.of(0x00)))).toBeNull()
  })

  it('[LIVE-23] is refused when it is over 64 KiB', () => {
    const content = (length: number) => pack([0, 'a', { content: 'a'.repeat(length) }])
    expect(decodeClientFrame(content(MAX_FRAME_BYTES - 20))).toHaveLength(1)
    expect(decodeClientFrame(content(MAX_FRAME_BYTES))).toBeNull()
  })
})

describe('a bomb in a frame of a client', () => {
  const inPayload = (...bytes: number[]) =>
    join(Uint8Array.of(0x93, 0x00, 0xa1, 0x61, 0x81, 0xa1, 0x62), Uint8Array.from(bytes))
  const utf8 = new TextEncoder()

  it.each<[string, Uint8Array]>([
    ['__proto__ for a key', inPayload(0x81, 0xa9, ...utf8.encode('__proto__'), 0x80)],
    [
      '__proto__ for a key of the payload',
      join(Uint8Array.of(0x93, 0, 0xa1, 0x61, 0x81, 0xa9), utf8.encode('__proto__'), Uint8Array.of(0x80)),
    ],
    ['text of 2 GB in 6 bytes', Uint8Array.of(0xdb, 0x7f, 0xff, 0xff, 0xff, 0)],
    ['bytes of 2 GB in 6 bytes', Uint8Array.of(0xc6, 0x7f, 0xff, 0xff, 0xff, 0)],
    ['an array of 4 billion in 6 bytes', Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff, 0)],
    ['a map of 4 billion in 6 bytes', Uint8Array.of(0xdf, 0xff, 0xff, 0xff, 0xff, 0)],
    ['an extension of 2 GB in 7 bytes', Uint8Array.of(0xc9, 0x7f, 0xff, 0xff, 0xff, 1, 0)],
    ['20,000 arrays that each promise 4,096 items', repeat(20_000, 0xdc, 0x10, 0x00)],
    ['arrays 10,000 deep', join(repeat(10_000, 0x91), Uint8Array.of(0xc0))],
    ['maps 10,000 deep', join(repeat(10_000, 0x81, 0xa1, 0x61), Uint8Array.of(0xc0))],
    ['1,000,000 keys', inPayload(0xdf, 0x00, 0x0f, 0x42, 0x40, ...repeat(20_000, 0xa1, 0x61, 0xc0))],
    ['10,000 values', inPayload(0xdc, 0x27, 0x10, ...repeat(10_000, 0xc0))],
    [
      'keys for which a map would grow',
      inPayload(0xdc, 0x03, 0xe8, ...repeat(1000, 0x81, 0xa3, 0x33, 0x32, 0x30, 0xc0)),
    ],
    ['a number for a key', inPayload(0x81, 0x01, 0x01)],
    ['NaN for a key', inPayload(0x81, 0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0, 0x01)],
    ['nothing for a key', inPayload(0x81, 0xa0, 0x01)],
    ['an array for a key', inPayload(0x81, 0x90, 0x01)],
    ['an extension type', inPayload(0xd4, 0x01, 0x00)],
    ['a timestamp', inPayload(0xd6, 0xff, 0, 0, 0, 0)],
    ['an empty extension', inPayload(0xc7, 0x00, 0x01)],
    ['a type that does not exist', inPayload(0xc1)],
    ['a lone surrogate', inPayload(0xa3, 0xed, 0xa0, 0x80)],
    ['a lone surrogate in a key', inPayload(0x81, 0xa4, 0x61, 0xed, 0xa0, 0x80, 0x01)],
    ['a lone surrogate in a name', Uint8Array.of(0x93, 0x00, 0xa3, 0xed, 0xa0, 0x80, 0x80)],
  ])('[LIVE-29] is refused: %s', (_, bytes) => {
    expect(decodeClientFrame(bytes)).toBeNull()
  })

  it('[LIVE-29] uses memory in proportion to its size, not to its declared lengths', () => {
    const bombs = [
      repeat(21_845, 0xdc, 0x10, 0x00),
      inPayload(0xdc, 0x07, 0xf0, ...repeat(2032, 0x80)),
      pack([0, 'a', Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`key${at}`, at]))]),
      pack([0, 'a', { content: 'ş'.repeat(30_000) }]),
    ]
    // By hand it is 3 to 1,200 KiB. The margin is for the compiler's own memory: what this guards from took 700 MiB.
    for (const bomb of bombs) expect(memoryFor(() => decodeClientFrame(bomb))).toBeLessThan(8 * 1024 * 1024)
  })

  it('[LIVE-29] decodes to client shapes or null and never throws, for any bytes', () => {
    const garbage = fc.uint8Array({ maxLength: 200 })
    const mutated = fc
      .tuple(
        fc.constantFrom(signal, request, join(request, signal)),
        fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 4 }),
      )
      .map(([frame, changes]) => {
        const bytes = Uint8Array.from(frame)
        for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte
        return bytes
      })
    fc.assert(
      fc.property(fc.oneof(garbage, mutated), (bytes) => {
        const values = decodeClientFrame(bytes)
        return (
          values === null ||
          (values.length > 0 && values.every(([kind]) => kind === Kind.signal || kind === Kind.request))
        )
      }),
      { numRuns: 5_000 },
    )
  })

  it('[LIVE-01] decodes every client value unchanged', () => {
    const key = fc.string({ minLength: 1 }).map((text) => `k${text}`)
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme' }),
        fc.integer(),
        fc.double({ noNaN: true }).map((number) => number + 0), // the packer has no -0,
        fc.boolean(),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    const payload = fc.dictionary(key, tree, { maxKeys: 5, noNullPrototype: true })
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), fc.string(), payload, (id, name, map) => {
        expect(decodeClientFrame(pack([1, id, name, map]))).toEqual([[Kind.request, id, name, map]])
      }),
    )
  })
})

describe('a frame of the server', () => {
  it('[LIVE-01] decodes every shape, also several in one frame', () => {
    const values: ServerValue[] = [
      [Kind.answer, 1, { success: true }],
      [Kind.refusal, 2, refuse('JustJoined', { waitMs: 4_000 }).body],
      [Kind.event, 2 ** 40, 'message', { id: 1 }],
      [Kind.ephemeral, 'resync', {}],
    ]
    expect(decodeServerFrame(join(...values.map(encode)))).toEqual(values)
  })

  it('[LIVE-06] omits undefined fields', () => {
    expect(decodeServerFrame(encode([Kind.answer, 1, { id: undefined, success: true }]))).toEqual([
      [2, 1, { success: true }],
    ])
  })

  it('[LIVE-01] throws when it is cut short', () => {
    const bytes = encode([Kind.ephemeral, 'cursor', { cursor: 5 }])
    expect(() => decodeServerFrame(bytes.subarray(0, -1))).toThrow(RangeError)
  })
})

function join(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

function memoryFor(work: () => void): number {
  const before = process.memoryUsage()
  work()
  const after = process.memoryUsage()
  return after.heapUsed + after.external - before.heapUsed - before.external
}

function repeat(times: number, ...bytes: number[]): Uint8Array {
  return Uint8Array.from({ length: times * bytes.length }, (_, at) => bytes[at % bytes.length] ?? 0)
}
