// @module-tag deep
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { readSendQueues } from '../../src/server/kernel/http/guard/send-queue-limit.ts'
import { openRawWebSocket } from '../../src/server/testing/fixtures/raw-websocket.ts'
import { AddressedClient } from '../drivers/addressed-request.ts'
import type { AttackSite } from './attack-site.ts'
import { openManyRaw, openRaw, writeAll } from './raw-connections.ts'
import { shareAttackSite } from './shared-attack-site.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const PIPELINED_BYTES = 64 * 1024
const BURST_MS = 1_000
const MIB = 1024 * 1024

let site: AttackSite
beforeAll(async () => {
  site = await shareAttackSite()
})

async function sumSendQueues(port: number): Promise<number> {
  return (await readSendQueues(port)).reduce((sum, { bytes }) => sum + bytes, 0)
}

function destroyAll(sockets: Socket[]): void {
  for (const socket of sockets) socket.destroy()
}

describe('bystanders notice nothing', () => {
  it('of 100 connections of one address with 64 KB of pipelined requests each', async () => {
    const packet = REQUEST.repeat(Math.floor(PIPELINED_BYTES / REQUEST.length))
    await site.attack(async () => {
      const sockets = await openManyRaw(site.port, '127.66.1.1', 100)
      await Promise.all([sleep(BURST_MS), ...sockets.map((socket) => writeAll(socket.resume(), packet))])
      destroyAll(sockets)
    })
  })

  it('of pipelined requests for health and static files', async () => {
    const packet = REQUEST.replace('GET /', 'GET /healthz').repeat(1_000)
    await site.attack(async () => {
      const sockets = await openManyRaw(site.port, '127.66.1.2', 50)
      await Promise.all([sleep(BURST_MS), ...sockets.map((socket) => writeAll(socket.resume(), packet))])
      destroyAll(sockets)
    })
  })

  it('of 120 connections that pipeline and never read a page or a large file, of which the system holds 64 MiB', async () => {
    const largeFile = /\/assets\/react-[\w-]+\.js/.exec(await (await fetch(site.origin)).text())?.[0]
    const packets = [
      REQUEST.repeat(Math.floor(PIPELINED_BYTES / REQUEST.length)),
      REQUEST.replace('/', String(largeFile)).repeat(8),
    ] as const
    await site.attack(async () => {
      const sockets = await openManyRaw(site.port, '127.66.1.3', 120)
      for (const [index, socket] of sockets.entries()) socket.pause().write(index < 60 ? packets[0] : packets[1])
      await sleep(BURST_MS)
      await expect.poll(() => sumSendQueues(site.port)).toBeLessThanOrEqual(64 * MIB)
      destroyAll(sockets)
    })
  })

  it('of 2,000 connections of one address that send their head byte by byte', async () => {
    const opened: Socket[] = []
    await site.attack(async () => {
      if (opened.length < 2_000) opened.push(...(await openManyRaw(site.port, '127.66.1.4', 200)))
      for (const socket of opened) if (!socket.destroyed) socket.resume().write('G')
      await sleep(BURST_MS)
    })
    destroyAll(opened)
  })

  it('of an address that upgrades and leaves without pause', async () => {
    await site.attack(async () => {
      const upgrades = Array.from({ length: 50 }, () => openRawWebSocket(site.origin, '127.66.1.5'))
      destroyAll((await Promise.all(upgrades)).map(({ socket }) => socket))
      await sleep(100)
    })
  })
})

describe('one address', () => {
  it('cannot keep more connections than its bound, and another address is served meanwhile', async () => {
    const opened: Socket[] = []
    for (let round = 0; round < 20; round++) opened.push(...(await openManyRaw(site.port, '127.66.1.6', 100)))
    for (const socket of opened) socket.resume() // a socket that does not read does not notice that it was closed
    const neighbour = new AddressedClient(site.origin, '127.66.1.7')
    expect((await neighbour.request('/healthz')).status).toBe(200)
    await expect.poll(() => opened.filter(({ destroyed }) => !destroyed).length).toBeLessThan(1_000)
    neighbour.close()
    destroyAll(opened)
  })

  it('gets a refusal and a closed connection for a request with two Host headers', async () => {
    const socket = await openRaw(site.port, '127.66.1.8')
    const received = socket.setEncoding('latin1').reduce((all: string, part: string) => all + part, '')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n')
    expect(await received).toMatch(/^HTTP\/1\.1 400 /)
  })
})
