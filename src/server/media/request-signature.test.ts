import { describe, expect, it } from 'vitest'
import { deriveKeys } from '../accounts/tokens/keys.ts'
import { isValidSignature, signFileRequest } from './request-signature.ts'

const { files: key, link } = deriveKeys('a secret of more than thirty-two characters')
const hash = 'ab'.repeat(32)
const errand = { method: 'PUT', hash, size: 7 } as const
const ticket = signFileRequest(key, errand)

describe('a ticket', () => {
  it('[FILE-14] is believed by whoever has the key', () => {
    expect(isValidSignature(key, errand, ticket)).toBe(true)
    expect(isValidSignature(link, errand, ticket)).toBe(false)
  })

  it('[FILE-15] is for one way, one hash and one size', () => {
    expect(isValidSignature(key, { ...errand, method: 'GET' }, ticket)).toBe(false)
    expect(isValidSignature(key, { ...errand, hash: 'ba'.repeat(32) }, ticket)).toBe(false)
    expect(isValidSignature(key, { ...errand, size: 8 }, ticket)).toBe(false)
    expect(isValidSignature(key, { ...errand, size: null }, ticket)).toBe(false)
    // Moving digits from one field into the next makes no other errand's ticket.
    const shifted = { method: 'PUT', hash: `${hash}\n7`, size: null } as const
    expect(isValidSignature(key, { method: 'PUT', hash, size: 7 }, signFileRequest(key, shifted))).toBe(false)
  })

  it('[FILE-15] knows no time: the same errand always has the same one', () => {
    expect(signFileRequest(key, errand)).toBe(ticket)
  })

  it.each([
    '',
    'Meydan-File',
    'Meydan-File ',
    `Bearer ${ticket.slice(12)}`,
    ticket.slice(0, -2),
    `${ticket}AA`,
    'x'.repeat(9000),
  ])('[FILE-14] is none when it is %j', (shown) => {
    expect(isValidSignature(key, errand, shown)).toBe(false)
  })
})
