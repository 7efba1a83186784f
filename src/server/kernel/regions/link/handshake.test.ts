import { describe, expect, it } from 'vitest'
import { encode } from '../../../../shared/protocol/frame.ts'
import { deriveKeys } from '../../keys.ts'
import {
  answerChallenge,
  createChallenge,
  createServerHello,
  type PeerInfo,
  verifyClient,
  verifyServer,
} from './handshake.ts'

const { link: key, ...others } = deriveKeys('a secret of more than thirty-two characters')
const wrongKey = deriveKeys('the secret of another site, which is as long').link
const fra: PeerInfo = { region: 'fra', url: 'http://10.0.0.2:3000', migrationCount: 3, isCandidate: true }
const ist = { region: 'ist', url: 'http://10.0.0.1:3000', migrationCount: 2 }

function assertPresent<T>(value: T | null): T {
  if (value === null) throw new Error('unexpected null')
  return value
}

/** All steps of a handshake. */
function handshake(clientKey = key, serverKey = key) {
  const challenge = createChallenge()
  const answer = assertPresent(answerChallenge(clientKey, challenge.frame, fra))
  const client = verifyClient(serverKey, challenge.nonce, answer.frame)
  const welcome = createServerHello(serverKey, challenge.nonce, answer.body, ist)
  return { challenge, answer, client, welcome, server: verifyServer(clientKey, answer, welcome) }
}

/** Every frame with one bit flipped. */
function* altered(frame: Uint8Array): Generator<Uint8Array> {
  for (let bit = 0; bit < frame.length * 8; bit++) {
    const copy = frame.slice()
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    yield copy
  }
}

describe('the handshake of the link', () => {
  it('[REG-12] introduces each end to the other', () => {
    const { client, server } = handshake()
    expect(client?.peer).toMatchObject(fra)
    expect(server).toEqual(ist)
  })

  it('[REG-12] fails with another secret at either end', () => {
    expect(handshake(wrongKey, key)).toMatchObject({ client: null, server: null })
    expect(handshake(key, wrongKey)).toMatchObject({ client: null, server: null })
  })

  it('[REG-12] fails with a key that is derived from the same secret for another use', () => {
    for (const other of Object.values(others)) expect(handshake(other, key).client).toBeNull()
  })

  it('[REG-13] rejects an answer to another challenge', () => {
    const { answer } = handshake()
    expect(verifyClient(key, createChallenge().nonce, answer.frame)).toBeNull()
  })

  it('[REG-13] rejects the server hello of another handshake, and its own proof sent back', () => {
    const [recorded, fresh] = [handshake(), handshake()]
    expect(verifyServer(key, fresh.answer, recorded.welcome)).toBeNull()
    expect(verifyServer(key, fresh.answer, fresh.answer.frame)).toBeNull()
    expect(verifyClient(key, fresh.challenge.nonce, fresh.welcome)).toBeNull()
  })

  it('[REG-13] rejects a proof with any flipped bit', () => {
    const { challenge, answer, welcome } = handshake()
    for (const frame of altered(answer.frame)) expect(verifyClient(key, challenge.nonce, frame)).toBeNull()
    for (const frame of altered(welcome)) expect(verifyServer(key, answer, frame)).toBeNull()
  })

  it('[REG-14] rejects a challenge of another version, size or shape', () => {
    const wrong = [
      [1, new Uint8Array(32)],
      [3, new Uint8Array(32)],
      [2, new Uint8Array(31)],
      [2],
      [2, 'text'],
      { 0: 1 },
      null,
      'x',
    ]
    for (const value of wrong) expect(answerChallenge(key, encode(value), fra)).toBeNull()
    for (const bytes of [[], [0xc1], [0x92, 0x02], [0xdd, 0xff, 0xff, 0xff, 0xff]])
      expect(answerChallenge(key, Uint8Array.from(bytes), fra)).toBeNull()
  })

  it('[REG-14] rejects bodies that claim gigabytes or exceed the size of a handshake', () => {
    const { challenge } = handshake()
    for (const bytes of [[0x92, 0xc6, 0xff, 0xff, 0xff, 0xff], [0xdf, 0xff, 0xff, 0xff, 0xff], Array(4000).fill(0x91)])
      expect(verifyClient(key, challenge.nonce, Uint8Array.from(bytes))).toBeNull()
    const long = { ...fra, more: 'x'.repeat(4096) }
    expect(
      verifyClient(key, challenge.nonce, assertPresent(answerChallenge(key, challenge.frame, long)).frame),
    ).toBeNull()
  })

  it.each([
    ['no name', { region: '' }],
    ['a name that means everybody', { region: 'all' }],
    ['an endless name', { region: 'x'.repeat(65) }],
    ['no URL', { url: undefined }],
    ['a fraction of migrations', { migrationCount: 1.5 }],
  ])('[REG-12] rejects a region with %s, even with a valid proof', (_, wrong) => {
    const challenge = createChallenge()
    const odd = { ...fra, ...wrong } as PeerInfo // of a region with other code
    expect(
      verifyClient(key, challenge.nonce, assertPresent(answerChallenge(key, challenge.frame, odd)).frame),
    ).toBeNull()
  })
})
