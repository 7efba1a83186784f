import { describe, expect, it } from 'vitest'
import { parseRange } from './conditional-requests.ts'

describe('parseRange of 100 bytes', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=99-', { start: 99, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=10-999999999999999', { start: 10, end: 99 }],
    ['BYTES=10-19 ', { start: 10, end: 19 }],
    ['bytes=-1', { start: 99, end: 99 }],
    ['bytes=-100', { start: 0, end: 99 }],
    ['bytes=-101', { start: 0, end: 99 }],
  ])('[FILE-26] selects part of the bytes for %s', (header, range) => {
    expect(parseRange(header, 100)).toEqual(range)
  })

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=999999999999999-', 'bytes=-0', 'bytes=-000'])(
    '[FILE-26] finds %s unsatisfiable',
    (header) => {
      expect(parseRange(header, 100)).toBe('unsatisfiable')
    },
  )

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=20-10',
    'bytes=0-1,5-6',
    'bytes=0-0, -1',
    `bytes=${'0-1,'.repeat(1_000)}0-1`,
    'bytes=a-b',
    'bytes=1.5-2',
    'bytes=--1',
    'bytes=+1-2',
    'lines=0-1',
    `bytes=${'9'.repeat(400)}-`,
  ])('[FILE-26] ignores %s', (header) => {
    expect(parseRange(header, 100)).toBe('whole')
  })
})
