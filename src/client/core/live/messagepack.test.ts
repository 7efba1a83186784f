import { Decoder, Encoder } from '@msgpack/msgpack'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeAll, encode } from './messagepack.ts'

const library = {
  encode: (value: unknown) => new Encoder().encode(value),
  encodeBigInt: (value: bigint) => new Encoder({ useBigInt64: true }).encode(value),
  decode: (bytes: Uint8Array) => new Decoder().decode(bytes),
}
const whole = [1, 31, 32, 33, 127, 128, 255, 256, 32_768, 32_769, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1, 2 ** 32]
const numbers = [...whole, Number.MAX_SAFE_INTEGER, 0.5, 1e300].flatMap((number) => [number, -number])
const lengths = [0, 1, 15, 16, 31, 32, 255, 256, 65_535, 65_536]

/** Text, bytes, an array and a map of that length. */
function ofLength(length: number): unknown[] {
  const items = Array.from({ length }, (_, index) => index % 100)
  return [
    `${'ş'.repeat(length / 2)}${'x'.repeat(length % 2)}`,
    Uint8Array.from(items),
    items,
    Object.fromEntries(items.map((item, index) => [`k${index}`, item])),
  ]
}

/** What frames may hold. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true }).map((number) => number + 0), // there is no -0 on the wire
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.uint8Array({ maxLength: 40 }),
    fc.array(tie('value'), { maxLength: 20 }),
    fc.dictionary(
      fc.string({ minLength: 1, maxLength: 40 }).filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 20 },
    ),
  ),
}))

describe('the encoder', () => {
  it('writes values that the library reads back unchanged', () => {
    fc.assert(
      fc.property(value, (any) => {
        expect(library.decode(encode(any))).toEqual(any)
      }),
    )
  })

  it.each([0, ...numbers])('writes the number %d', (number) => {
    expect(library.decode(encode(number))).toBe(number)
  })

  it.each(lengths)('writes text, bytes, arrays and maps of length %i', (length) => {
    const all = ofLength(length)
    expect(library.encode(library.decode(encode(all)))).toEqual(library.encode(all))
  })

  it('omits undefined fields', () => {
    expect(library.decode(encode({ a: undefined, b: null }))).toEqual({ b: null })
  })
})

describe('the decoder', () => {
  it('reads values that the library wrote, several in one frame included', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (values) => {
        const frame = Uint8Array.from(values.flatMap((one) => [...library.encode(one)]))
        expect(decodeAll(frame)).toEqual(values)
      }),
    )
  })

  it.each([0, ...numbers])('reads the number %d', (number) => {
    expect(decodeAll(library.encode(number))).toEqual([number])
  })

  it('reads 64-bit integers and 32-bit floats, which another server may send', () => {
    expect(decodeAll(library.encodeBigInt(1n))).toEqual([1])
    expect(decodeAll(library.encodeBigInt(-1n))).toEqual([-1])
    expect(decodeAll(Uint8Array.of(0xca, 0x3f, 0, 0, 0))).toEqual([0.5])
  })

  it.each(lengths)('reads text, bytes, arrays and maps of length %i', (length) => {
    const bytes = library.encode(ofLength(length))
    expect(library.encode(decodeAll(bytes)[0])).toEqual(bytes)
  })

  it('sets no key that changes the prototype', () => {
    const [decoded] = decodeAll(
      Uint8Array.of(0x81, 0xa9, ...new TextEncoder().encode('__proto__'), 0x81, 0xa1, 0x61, 1),
    )
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype)
    expect(Object(decoded).a).toBeUndefined()
  })

  it('refuses a truncated value at every length', () => {
    fc.assert(
      fc.property(value, fc.nat(), (any, cut) => {
        const bytes = library.encode([any])
        const missing = 1 + (cut % (bytes.length - 1))
        expect(() => decodeAll(bytes.subarray(0, bytes.length - missing))).toThrow(RangeError)
      }),
    )
  })

  it.each([0xc1, 0xc7, 0xd4])('refuses type byte %i', (type) => {
    expect(() => decodeAll(Uint8Array.of(type, 1, 1, 1))).toThrow(RangeError)
  })
})
