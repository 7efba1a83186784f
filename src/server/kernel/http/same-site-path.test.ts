import { describe, expect, it } from 'vitest'
import { toSameSitePath } from './same-site-path.ts'

describe('toSameSitePath', () => {
  it.each(['/', '/room/7', '/room/7?a=b#c', '/room/1//x'])('[ACC-27] accepts %s', (next) => {
    expect(toSameSitePath(next, '/room/1')).toBe(next)
  })

  it('[ACC-27] percent-encodes a path for the Location header', () => {
    expect(toSameSitePath('/oda/çay bahçesi', '/room/1')).toBe('/oda/%C3%A7ay%20bah%C3%A7esi')
  })

  it.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/room/1\r\nset-cookie: a=b',
    '/..//evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '@evil.example',
    '.evil.example',
    'room/1',
    ' /room/1',
    '\u0000/room/1',
    '',
    7,
    null,
    undefined,
    ['/room/7'],
  ])('[ACC-27] replaces %j by the fallback', (next) => {
    expect(toSameSitePath(next, '/room/1')).toBe('/room/1')
  })
})
