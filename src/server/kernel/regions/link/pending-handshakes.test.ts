import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLinkSocketPair } from '../../../testing/links/link-socket-pair.ts'
import { PendingHandshakes } from './link-server.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('[REG-14] keeps no region from reconnecting from a trusted address during a flood', () => {
  const strangers = new PendingHandshakes()
  const openSocket = (address: string) => {
    const [, socket] = createLinkSocketPair()
    strangers.add(socket, address)
    return socket
  }
  strangers.trustAddress('a region')
  const region = openSocket('a region')
  const newcomer = openSocket('a new region')
  const flood = Array.from({ length: 1_000 }, (_, i) => openSocket(`stranger ${i}`))
  expect([region.closeCode, newcomer.closeCode]).toEqual([null, 4401])
  expect(flood.filter((socket) => socket.closeCode === null)).toHaveLength(64)
  expect(strangers.remove(region)).toBe(true)
})

it('remembers the addresses of the last hundred regions', () => {
  const strangers = new PendingHandshakes()
  const survives = (address: string) => {
    const [, socket] = createLinkSocketPair()
    strangers.add(socket, address)
    for (let i = 0; i < 64; i++) strangers.add(createLinkSocketPair()[1], `stranger ${i}`)
    return socket.closeCode === null
  }
  for (let i = 0; i <= 100; i++) strangers.trustAddress(`region ${i}`)
  expect([survives('region 0'), survives('region 1'), survives('region 100')]).toEqual([false, true, true])
})

/** Adds sockets to new handshakes; answers them in order. */
function addAll(pending: PendingHandshakes, addresses: string[]) {
  return addresses.map((address) => {
    const [, socket] = createLinkSocketPair()
    pending.add(socket, address)
    return socket
  })
}
const strangers = (count: number) => Array.from({ length: count }, (_, i) => `stranger ${i}`)

it('[REG-14] rejects the oldest of nine from one address, and none of others', () => {
  const pending = new PendingHandshakes()
  const sockets = addAll(pending, ['other', ...Array(9).fill('one')])
  expect(sockets.map(({ closeCode }) => closeCode)).toEqual([null, 4401, ...Array(8).fill(null)])
})

it('[REG-14] rejects no stranger for a trusted address', () => {
  const pending = new PendingHandshakes()
  pending.trustAddress('a region')
  const sockets = addAll(pending, [...strangers(64), 'a region'])
  expect(sockets.every(({ closeCode }) => closeCode === null)).toBe(true)
})

it('[REG-14] rejects a socket that is not authenticated within three seconds', () => {
  const pending = new PendingHandshakes()
  const [idle, authenticated] = addAll(pending, ['one', 'other'])
  if (!idle || !authenticated) return expect.unreachable()
  pending.remove(authenticated)
  vi.advanceTimersByTime(2_999)
  expect(idle.closeCode).toBeNull()
  vi.advanceTimersByTime(1)
  expect([idle.closeCode, authenticated.closeCode]).toEqual([4401, null])
})
