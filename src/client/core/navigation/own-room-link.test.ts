import { expect, it } from 'vitest'
import { isOwnRoom } from './own-room-link.ts'

const site = { origin: 'https://meydan.example' }

it.each([
  'https://meydan.example/room/3',
  'https://MEYDAN.example:443/room/3?profil=ada',
  'https://meydan.example/room/12#message-5',
])('[SHELL-71] opens %s in the page', (url) => expect(isOwnRoom(new URL(url), site)).toBe(true))

it.each([
  'http://meydan.example/room/3',
  'https://meydan.example:8443/room/3',
  'https://meydan.example.evil.test/room/3',
  'https://evil.test/meydan.example/room/3',
  'https://evil.test\\@meydan.example/room/3',
  'https://meydan.example@evil.test/room/3',
  'https://www.meydan.example/room/3',
  'https://xn--meydn-hsa.example/room/3',
  'https://meydan.example/api/room/3',
  'https://meydan.example/room/3/../../api/users/logout',
  'https://meydan.example/room/3/password',
  'https://meydan.example//evil.test/room/3',
  'javascript:alert(1)//meydan.example/room/3',
])('[SHELL-71] does not take %s for a room of this site', (url) => expect(isOwnRoom(new URL(url), site)).toBe(false))
