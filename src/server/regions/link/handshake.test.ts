import { describe, expect, it } from 'vitest'
import { encode } from '../../../shared/protocol/frame.ts'
import { deriveKeys } from '../../accounts/tokens/keys.ts'
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
const fra: PeerInfo = { region: 'fra', url: 'http://10.0.0.2:3000', code: 3, isCandidate: true }
const ist = { region: 'ist', url: 'http://10.0.0.1:3000', code: 2 }

function assertPresent<T>(value: T | null): T {
  if (value === null) throw new Error('there is none')
  return value
}

/** A whole handshake between two that know their keys, each step as it was. */
function handshake(diallersKey = key, hubsKey = key) {
  const asked = createChallenge()
  const answer = assertPresent(answerChallenge(diallersKey, asked.frame, fra))
  const judged = verifyClient(hubsKey, asked.nonce, answer.frame)
  const welcomed = createServerHello(hubsKey, asked.nonce, answer.body, ist)
  return { asked, answer, judged, welcomed, hub: verifyServer(diallersKey, answer, welcomed.frame) }
}

/** Every way to turn one bit of a frame. */
function* altered(frame: Uint8Array): Generator<Uint8Array> {
  for (let bit = 0; bit < frame.length * 8; bit++) {
    const copy = frame.slice()
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    yield copy
  }
}

describe('the handshake of the link', () => {
  it('[REG-12] tells each end who the other is, and gives both the same keys, one a direction', () => {
    const { judged, hub, welcomed } = handshake()
    expect(judged?.who).toMatchObject(fra)
    expect(hub?.who).toEqual(ist)
    const bytes = ({ clientToServer, serverToClient }: typeof welcomed.keys) =>
      [clientToServer, serverToClient].map((one) => one.export().toString('hex'))
    expect(bytes(assertPresent(hub).keys)).toEqual(bytes(welcomed.keys))
    expect(new Set(bytes(welcomed.keys)).size).toBe(2)
  })

  it('[REG-12] proves nothing with another secret, whichever end has it', () => {
    expect(handshake(wrongKey, key)).toMatchObject({ judged: null, hub: null })
    expect(handshake(key, wrongKey)).toMatchObject({ judged: null, hub: null })
  })

  it('[REG-12] proves nothing with a key that the same secret gives for something else', () => {
    for (const other of Object.values(others)) expect(handshake(other, key).judged).toBeNull()
  })

  it('[REG-13] does not take an answer to another challenge', () => {
    const { answer } = handshake()
    expect(verifyClient(key, createChallenge().nonce, answer.frame)).toBeNull()
  })

  it('[REG-13] does not take the welcome of another handshake, nor its own proof thrown back', () => {
    const [recorded, fresh] = [handshake(), handshake()]
    expect(verifyServer(key, fresh.answer, recorded.welcomed.frame)).toBeNull()
    expect(verifyServer(key, fresh.answer, fresh.answer.frame)).toBeNull()
    expect(verifyClient(key, fresh.asked.nonce, fresh.welcomed.frame)).toBeNull()
  })

  it('[REG-13] does not take a proof in which any one bit was turned', () => {
    const { asked, answer, welcomed } = handshake()
    for (const frame of altered(answer.frame)) expect(verifyClient(key, asked.nonce, frame)).toBeNull()
    for (const frame of altered(welcomed.frame)) expect(verifyServer(key, answer, frame)).toBeNull()
  })

  it('[REG-13] makes other keys each time', () => {
    const keys = [handshake(), handshake()].flatMap(({ welcomed }) => Object.values(welcomed.keys))
    expect(new Set(keys.map((one) => one.export().toString('hex'))).size).toBe(4)
  })

  it('[REG-14] answers no challenge of another version, size or shape', () => {
    const wrong = [[2, new Uint8Array(32)], [1, new Uint8Array(31)], [1], [1, 'text'], { 0: 1 }, null, 'x']
    for (const value of wrong) expect(answerChallenge(key, encode(value), fra)).toBeNull()
    for (const bytes of [[], [0xc1], [0x92, 0x01], [0xdd, 0xff, 0xff, 0xff, 0xff]])
      expect(answerChallenge(key, Uint8Array.from(bytes), fra)).toBeNull()
  })

  it('[REG-14] reads nothing of a stranger that claims gigabytes, or sends more than a handshake needs', () => {
    const { asked } = handshake()
    for (const bytes of [[0x92, 0xc6, 0xff, 0xff, 0xff, 0xff], [0xdf, 0xff, 0xff, 0xff, 0xff], Array(4000).fill(0x91)])
      expect(verifyClient(key, asked.nonce, Uint8Array.from(bytes))).toBeNull()
    const long = { ...fra, more: 'x'.repeat(4096) }
    expect(verifyClient(key, asked.nonce, assertPresent(answerChallenge(key, asked.frame, long)).frame)).toBeNull()
  })

  it.each([
    ['no name', { region: '' }],
    ['a name that means everybody', { region: 'all' }],
    ['an endless name', { region: 'x'.repeat(65) }],
    ['no URL', { url: undefined }],
    ['a version that is none', { code: 1.5 }],
  ])('[REG-12] does not take a region with %s, proof or not', (_, wrong) => {
    const asked = createChallenge()
    const odd = { ...fra, ...wrong } as PeerInfo // of a region with other code
    expect(verifyClient(key, asked.nonce, assertPresent(answerChallenge(key, asked.frame, odd)).frame)).toBeNull()
  })
})
