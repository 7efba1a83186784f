import { createSecretKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSeal, SEAL_BYTES } from './seal.ts'

const key = createSecretKey(Buffer.alloc(32, 1))
const otherKey = createSecretKey(Buffer.alloc(32, 2))
const text = (words: string) => new TextEncoder().encode(words)

/** Three frames as they were sealed one after another, and the seal at the other end. */
function sealed() {
  const seal = createSeal(key)
  const [first, second, third] = [seal.seal(text('one')), seal.seal(text('two')), seal.seal(text('three'))]
  return { first, second, third, there: createSeal(key) }
}

describe('the seal of a line', () => {
  it('[REG-13] adds 16 bytes and opens to what was sealed, in order', () => {
    const { first, second, third, there } = sealed()
    expect(first).toHaveLength(3 + SEAL_BYTES)
    expect([first, second, third].map((frame) => there.open(frame))).toEqual([
      ...[text('one'), text('two'), text('three')].map((bytes) => Buffer.from(bytes)),
    ])
  })

  it('[REG-13] seals and opens frames that hold nothing', () => {
    expect(createSeal(key).open(createSeal(key).seal(new Uint8Array()))).toHaveLength(0)
  })

  it('[REG-13] does not open a frame twice', () => {
    const { first, there } = sealed()
    there.open(first)
    expect(there.open(first)).toBeNull()
  })

  it('[REG-13] does not open a frame before the one that was sealed before it', () => {
    const { second, there } = sealed()
    expect(there.open(second)).toBeNull()
  })

  it('[REG-13] does not open a frame of another line or of the other direction', () => {
    expect(createSeal(otherKey).open(sealed().first)).toBeNull()
  })

  it('[REG-13] does not open a frame of which any one bit was turned, nor a shorter one', () => {
    const { first } = sealed()
    for (let bit = 0; bit < first.length * 8; bit++) {
      const altered = first.slice()
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(createSeal(key).open(altered)).toBeNull()
    }
    for (let length = 0; length < first.length; length++)
      expect(createSeal(key).open(first.subarray(0, length))).toBeNull()
  })
})
