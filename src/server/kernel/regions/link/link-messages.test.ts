import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encode } from '../../../../shared/protocol/frame.ts'
import { type PrimaryFrame, parsePrimaryFrame, parseReplicaFrame, type ReplicaFrame } from './link-messages.ts'

const position = { txid: '00000000000000ff', seq: 12 }
const order = {
  command: 'sendMessage' as const,
  actor: { userId: 4, sessionId: 5 },
  input: { roomId: 1, text: 'merhaba' },
  clientId: 'an id',
}
const replicaMessages: ReplicaFrame[] = [
  { kind: 'ping', id: 1 },
  { kind: 'command', id: 2, envelope: order, awaitReplicaAck: false },
  { kind: 'command', id: 3, envelope: { ...order, actor: null, clientId: null }, awaitReplicaAck: true },
  { kind: 'position', position },
  { kind: 'getPosition', id: 4 },
  { kind: 'relay', to: 'all', topic: 'presence', payload: [1, { deep: null }] },
]
const primaryMessages: PrimaryFrame[] = [
  { kind: 'pong', id: 1, clock: 1_700_000_000_000 },
  { kind: 'answer', id: 2, answer: { id: 7 }, position },
  { kind: 'answer', id: 2, refusal: { code: 'RoomFull', message: 'Oda dolu.', waitMs: 5 }, position },
  { kind: 'indeterminate', id: 2 },
  { kind: 'position', id: 4, position },
  { kind: 'relay', from: 'ist', topic: 'presence', payload: 'x' },
  { kind: 'regions', regions: ['ist', 'fra'] },
  { kind: 'handOver', position },
]

describe('the messages of the link', () => {
  it('[REG-23] decodes every message as it was encoded', () => {
    for (const message of replicaMessages) expect(parseReplicaFrame(encode(message))).toEqual(message)
    for (const message of primaryMessages) expect(parsePrimaryFrame(encode(message))).toEqual(message)
  })

  it('[REG-33] ignores unknown fields and kinds of newer code', () => {
    for (const message of replicaMessages)
      expect(parseReplicaFrame(encode({ ...message, mood: 'new' }))).toEqual(message)
    expect(parseReplicaFrame(encode({ kind: 'greet' }))).toBe('unknown')
    expect(parsePrimaryFrame(encode({ kind: 'constructor' }))).toBe('unknown')
  })

  it('[REG-33] decodes an unknown refusal as Failed with the same message', () => {
    const refusal = { code: 'TooSunny', message: 'Bugün olmaz.' }
    const read = parsePrimaryFrame(encode({ kind: 'answer', id: 1, refusal, position }))
    expect(read).toMatchObject({ refusal: { code: 'Failed', message: 'Bugün olmaz.' } })
  })

  it.each([
    ['no map', 7],
    ['nothing', null],
    ['no kind', {}],
    ['a kind that is no text', { kind: 1 }],
    ['a command without an id', { kind: 'command', envelope: order, awaitReplicaAck: false }],
    ['a command without an order', { kind: 'command', id: 1, awaitReplicaAck: false }],
    [
      'an order whose input is a list',
      { kind: 'command', id: 1, envelope: { ...order, input: [] }, awaitReplicaAck: false },
    ],
    [
      'an order whose actor is a name',
      { kind: 'command', id: 1, envelope: { ...order, actor: 'Ada' }, awaitReplicaAck: false },
    ],
    ['a negative id', { kind: 'getPosition', id: -1 }],
    ['half an id', { kind: 'getPosition', id: 0.5 }],
    ['a position that is a number', { kind: 'position', position: 4 }],
    ['a position that is NaN', { kind: 'position', position: { txid: '', seq: Number.NaN } }],
    ['a topic that is none', { kind: 'relay', to: 'all', topic: 5, payload: null }],
  ])('[REG-15] are not read when they are %s', (_, value) => {
    expect(parseReplicaFrame(encode(value))).toBeNull()
  })

  it('[REG-15] reads arbitrary bytes without throwing', () => {
    const seed = 20_261_121
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.record({ message: fc.constantFrom(...replicaMessages), at: fc.nat(500), byte: fc.nat(255) }).map((change) => {
        const encoded = encode(change.message)
        encoded[change.at % encoded.length] = change.byte
        return encoded
      }),
    )
    fc.assert(
      fc.property(bytes, (frame) => {
        expect(() => [parseReplicaFrame(frame), parsePrimaryFrame(frame)]).not.toThrow()
      }),
      { seed, numRuns: 2_000 },
    )
  })
})
