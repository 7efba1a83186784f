import { describe, expect, it } from 'vitest'
import { deriveKeys } from '../keys.ts'
import { isValidSignature, signFileRequest } from './request-signature.ts'

const { files: key, link } = deriveKeys('a secret of more than thirty-two characters')
const hash = 'ab'.repeat(32)
const fileRequest = { method: 'PUT', hash, size: 7 } as const
const signature = signFileRequest(key, fileRequest)

describe('the signature of a file request', () => {
  it('[FILE-14] is valid with the key that signed it, and with no other', () => {
    expect(isValidSignature(key, fileRequest, signature)).toBe(true)
    expect(isValidSignature(link, fileRequest, signature)).toBe(false)
  })

  it('[FILE-15] is valid for one method, one hash and one size', () => {
    expect(isValidSignature(key, { ...fileRequest, method: 'GET' }, signature)).toBe(false)
    expect(isValidSignature(key, { ...fileRequest, hash: 'ba'.repeat(32) }, signature)).toBe(false)
    expect(isValidSignature(key, { ...fileRequest, size: 8 }, signature)).toBe(false)
    expect(isValidSignature(key, { ...fileRequest, size: null }, signature)).toBe(false)
    // Moving characters between fields must not give the signature of another request.
    const shifted = { method: 'PUT', hash: `${hash}\n7`, size: null } as const
    expect(isValidSignature(key, { method: 'PUT', hash, size: 7 }, signFileRequest(key, shifted))).toBe(false)
  })

  it('[FILE-15] does not depend on the time', () => {
    expect(signFileRequest(key, fileRequest)).toBe(signature)
  })

  it.each([
    '',
    'Meydan-File',
    'Meydan-File ',
    `Bearer ${signature.slice(12)}`,
    signature.slice(0, -2),
    `${signature}AA`,
    'x'.repeat(9000),
  ])('[FILE-14] is invalid as %j', (header) => {
    expect(isValidSignature(key, fileRequest, header)).toBe(false)
  })
})
