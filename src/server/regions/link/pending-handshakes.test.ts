import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLinkSocketPair } from '../../testing/links/link-socket-pair.ts'
import { PendingHandshakes } from './pending-handshakes.ts'

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
