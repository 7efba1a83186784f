import { describe, expect, it } from 'vitest'
import { encode } from '../../shared/protocol/frame.ts'
import { deriveKeys } from '../accounts/keys.ts'
import { answerChallenge, challenge, type Introduction, judgeDialler, judgeHub, welcome } from './handshake.ts'

const { link: key, ...others } = deriveKeys('a secret of more than thirty-two characters')
const wrongKey = deriveKeys('the secret of another site, which is as long').link
const fra: Introduction = { region: 'fra', url: 'http://10.0.0.2:3000', code: 3, isCandidate: true }
const ist = { region: 'ist', url: 'http://10.0.0.1:3000', code: 2 }

function present<T>(value: T | null): T {
  if (value === null) throw new Error('there is none')
  return value
}

/** A whole handshake between two that know their keys, each step as it was. */
function handshake(diallersKey = key, hubsKey = key) {
  const asked = challenge()
  const answer = present(answerChallenge(diallersKey, asked.frame, fra))
  const judged = judgeDialler(hubsKey, asked.nonce, answer.frame)
  const welcomed = welcome(hubsKey, asked.nonce, answer.body, ist)
  return { asked, answer, judged, welcomed, hub: judgeHub(diallersKey, answer, welcomed.frame) }
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
    const bytes = ({ toHub, fromHub }: typeof welcomed.keys) =>
      [toHub, fromHub].map((one) => one.export().toString('hex'))
    expect(bytes(present(hub).keys)).toEqual(bytes(welcomed.keys))
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
    expect(judgeDialler(key, challenge().nonce, answer.frame)).toBeNull()
  })

  it('[REG-13] does not take the welcome of another handshake, nor its own proof thrown back', () => {
    const [recorded, fresh] = [handshake(), handshake()]
    expect(judgeHub(key, fresh.answer, recorded.welcomed.frame)).toBeNull()
    expect(judgeHub(key, fresh.answer, fresh.answer.frame)).toBeNull()
    expect(judgeDialler(key, fresh.asked.nonce, fresh.welcomed.frame)).toBeNull()
  })

  it('[REG-13] does not take a proof in which any one bit was turned', () => {
    const { asked, answer, welcomed } = handshake()
    for (const frame of altered(answer.frame)) expect(judgeDialler(key, asked.nonce, frame)).toBeNull()
    for (const frame of altered(welcomed.frame)) expect(judgeHub(key, answer, frame)).toBeNull()
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
      expect(judgeDialler(key, asked.nonce, Uint8Array.from(bytes))).toBeNull()
    const long = { ...fra, more: 'x'.repeat(4096) }
    expect(judgeDialler(key, asked.nonce, present(answerChallenge(key, asked.frame, long)).frame)).toBeNull()
  })

  it.each([
    ['no name', { region: '' }],
    ['a name that means everybody', { region: 'all' }],
    ['an endless name', { region: 'x'.repeat(65) }],
    ['no URL', { url: undefined }],
    ['a version that is none', { code: 1.5 }],
  ])('[REG-12] does not take a region with %s, proof or not', (_, wrong) => {
    const asked = challenge()
    const odd = { ...fra, ...wrong } as Introduction // of a region with other code
    expect(judgeDialler(key, asked.nonce, present(answerChallenge(key, asked.frame, odd)).frame)).toBeNull()
  })
})
