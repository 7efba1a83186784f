import { createSecretKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createFrameMac, MAC_BYTES } from './frame-mac.ts'

const key = createSecretKey(Buffer.alloc(32, 1))
const otherKey = createSecretKey(Buffer.alloc(32, 2))
const text = (words: string) => new TextEncoder().encode(words)

/** Three frames as they were sealed one after another, and the seal at the other end. */
function createMacPair() {
  const seal = createFrameMac(key)
  const [first, second, third] = [seal.sign(text('one')), seal.sign(text('two')), seal.sign(text('three'))]
  return { first, second, third, there: createFrameMac(key) }
}

describe('the seal of a line', () => {
  it('[REG-13] adds 16 bytes and opens to what was sealed, in order', () => {
    const { first, second, third, there } = createMacPair()
    expect(first).toHaveLength(3 + MAC_BYTES)
    expect([first, second, third].map((frame) => there.verify(frame))).toEqual([
      ...[text('one'), text('two'), text('three')].map((bytes) => Buffer.from(bytes)),
    ])
  })

  it('[REG-13] seals and opens frames that hold nothing', () => {
    expect(createFrameMac(key).verify(createFrameMac(key).sign(new Uint8Array()))).toHaveLength(0)
  })

  it('[REG-13] does not open a frame twice', () => {
    const { first, there } = createMacPair()
    there.verify(first)
    expect(there.verify(first)).toBeNull()
  })

  it('[REG-13] does not open a frame before the one that was sealed before it', () => {
    const { second, there } = createMacPair()
    expect(there.verify(second)).toBeNull()
  })

  it('[REG-13] does not open a frame of another line or of the other direction', () => {
    expect(createFrameMac(otherKey).verify(createMacPair().first)).toBeNull()
  })

  it('[REG-13] does not open a frame of which any one bit was turned, nor a shorter one', () => {
    const { first } = createMacPair()
    for (let bit = 0; bit < first.length * 8; bit++) {
      const altered = first.slice()
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(createFrameMac(key).verify(altered)).toBeNull()
    }
    for (let length = 0; length < first.length; length++)
      expect(createFrameMac(key).verify(first.subarray(0, length))).toBeNull()
  })
})
