import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import pino from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMetrics } from '../../../kernel/operations/metrics.ts'
import { encodeCheck, encodeMedia, IceClient } from '../testing/ice-client.ts'
import { LOOPBACK_SETTINGS, openTestRelay, type TestRelay } from '../testing/open-relay.ts'
import { createRelay, type Relay } from './relay.ts'
import type { RelayCall, RelayCandidate } from './relay-call.ts'

let relays: Relay[] = []
let clients: IceClient[] = []

afterEach(async () => {
  for (const client of clients) client.close()
  await Promise.all(relays.map((relay) => relay.close()))
  clients = []
  relays = []
})

function openRelay(...parameters: Parameters<typeof openTestRelay>): TestRelay {
  const opened = openTestRelay(...parameters)
  relays.push(opened.relay)
  return opened
}

async function openClient(host?: string): Promise<IceClient> {
  const client = await IceClient.open(host)
  clients.push(client)
  return client
}

/** Two clients, each nominated for its leg. */
async function connectBoth(call: RelayCall, candidate: RelayCandidate, host?: string): Promise<[IceClient, IceClient]> {
  const both: [IceClient, IceClient] = [await openClient(host), await openClient(host)]
  await both[0].nominate(candidate, call.legs[0].credentials)
  await both[1].nominate(candidate, call.legs[1].credentials)
  return both
}

describe('the relay', () => {
  it('[RELAY-01] passes packets of each side on to the other unchanged, and tells a check where it came from', async () => {
    const { openCall } = openRelay()
    const { call, udp } = openCall()
    const [caller, callee] = await connectBoth(call, udp)
    const answer = await caller.check(udp, call.legs[0].credentials)
    expect(answer.getAttributeValue('XOR-MAPPED-ADDRESS')).toEqual(['127.0.0.1', caller.port])
    const hello = Buffer.concat([Buffer.from([22, 254, 253]), Buffer.alloc(200, 7)])
    await caller.send(hello, udp)
    await callee.send(encodeMedia(7, 1_200), udp)
    await callee.receive(1)
    await caller.receive(1)
    expect(callee.media).toEqual([hello])
    expect(caller.media).toEqual([encodeMedia(7, 1_200)])
  })

  it('[RELAY-01] keeps calls apart', async () => {
    const { openCall } = openRelay()
    const [one, two] = [openCall(), openCall()]
    const [caller, callee] = await connectBoth(one.call, one.udp)
    const [otherCaller, otherCallee] = await connectBoth(two.call, two.udp)
    await caller.send(encodeMedia(1), one.udp)
    await otherCaller.send(encodeMedia(2), two.udp)
    expect(await callee.receive(1)).toEqual([1])
    expect(await otherCallee.receive(1)).toEqual([2])
    expect([callee, otherCallee, caller, otherCaller].map(({ media }) => media.length)).toEqual([1, 1, 0, 0])
  })

  it('[RELAY-06] follows a browser whose NAT gives it another port', async () => {
    const { openCall } = openRelay()
    const { call, udp } = openCall()
    const [caller, callee] = await connectBoth(call, udp)
    const rebound = await openClient()
    await rebound.send(encodeMedia(1), udp)
    await rebound.nominate(udp, call.legs[0].credentials)
    await callee.send(encodeMedia(2), udp)
    expect(await rebound.receive(1)).toEqual([2])
    await rebound.send(encodeMedia(3), udp)
    expect(await callee.receive(1)).toEqual([3])
    expect(caller.media).toEqual([])
  })

  it('[RELAY-07] takes new credentials for an ICE restart beside the earlier ones', async () => {
    const { openCall } = openRelay()
    const { call, udp } = openCall()
    const [caller, callee] = await connectBoth(call, udp)
    const earlier = call.legs[0].credentials
    const restarted = call.legs[0].restart()
    expect(call.legs[0].credentials).toEqual(restarted)
    expect(restarted).not.toEqual(earlier)
    await caller.check(udp, earlier)
    const moved = await openClient()
    await moved.nominate(udp, restarted)
    await callee.send(encodeMedia(1), udp)
    expect(await moved.receive(1)).toEqual([1])
  })

  it('[RELAY-10] passes nothing on after close() has returned', async () => {
    const { openCall, count } = openRelay()
    const { call, udp } = openCall()
    const [caller, callee] = await connectBoth(call, udp)
    // Few enough for the buffer of the relay's socket, so that the kernel drops none.
    await Promise.all(Array.from({ length: 150 }, (_, number) => caller.send(encodeMedia(number), udp)))
    await callee.receive(1)
    call.close()
    // The worker may have been between reading the flag and sending one packet.
    const passedOn = count('packets') + 1
    await Promise.all(Array.from({ length: 150 }, (_, number) => caller.send(encodeMedia(1_000 + number), udp)))
    const dropped = () => count('callClosed') + count('unknownSource')
    await expect.poll(() => count('packets') + dropped()).toBeGreaterThanOrEqual(300)
    expect(count('packets')).toBeLessThanOrEqual(passedOn)
    expect(callee.media.filter((packet) => packet.readUInt32BE(4) >= 1_000)).toEqual([])
  })

  it('[RELAY-10] answers no check of a closed call, and close() may be called again', async () => {
    const { openCall } = openRelay()
    const { call, udp } = openCall()
    const other = openCall()
    const client = await openClient()
    await client.nominate(udp, call.legs[0].credentials)
    expect(call.legs[0].idleMs()).toBeLessThan(60_000)
    call.close()
    call.close()
    client.responses.length = 0
    await client.send(encodeCheck(call.legs[0].credentials), udp)
    await (await openClient()).nominate(udp, other.call.legs[0].credentials)
    expect(client.responses).toEqual([])
    expect(call.legs[0].idleMs()).toBeNull()
  })

  it('[RELAY-16] works over IPv6', async () => {
    const { openCall } = openRelay({ addresses: ['127.0.0.1', '::1'] })
    const { call, udp } = openCall()
    expect(call.candidates.map(({ transport, address }) => `${transport} ${address}`)).toEqual([
      'udp 127.0.0.1',
      'udp ::1',
      'tcp 127.0.0.1',
      'tcp ::1',
    ])
    const [caller, callee] = [await openClient('::1'), await openClient()]
    const answer = await caller.nominate({ ...udp, address: '::1' }, call.legs[0].credentials)
    expect(answer.getAttributeValue('XOR-MAPPED-ADDRESS')).toEqual(['::1', caller.port])
    await callee.nominate(udp, call.legs[1].credentials)
    await callee.send(encodeMedia(1), udp)
    expect(await caller.receive(1)).toEqual([1])
  })

  it('[RELAY-18] survives a flood of garbage, and sends none of it on', async () => {
    const { openCall, count } = openRelay()
    const { call, udp } = openCall()
    const [caller, callee] = await connectBoth(call, udp)
    const stranger = await openClient()
    for (let round = 0; round < 500; round++) {
      const packet = Buffer.alloc(round * 3, round)
      await Promise.all([stranger.send(packet, udp), stranger.send(encodeMedia(round, 60_000), udp)])
    }
    // The kernel drops packets while the flood fills the buffer of the relay's socket.
    const sendTooLarge = async () => {
      await caller.send(encodeMedia(1, 60_000), udp)
      return count('badSize')
    }
    await expect.poll(sendTooLarge).toBeGreaterThan(0)
    await caller.send(encodeMedia(2), udp)
    expect(await callee.receive(1)).toEqual([2])
    expect(stranger.responses).toEqual([])
  })
})

describe('the worker of the relay', () => {
  it('[RELAY-17] leaves no socket, timer, username or address after 100 calls', { timeout: 120_000 }, async () => {
    const { relay, openCall, count, metrics } = openRelay()
    await relay.warmUp()
    // A timer of the test's own polls, or an immediate of an earlier test, may be among them.
    const resources = () => process.getActiveResourcesInfo().filter((name) => !['Timeout', 'Immediate'].includes(name))
    const before = resources()
    const [started, stopped] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')]
    const [caller, callee] = [await IceClient.open(), await IceClient.open()]
    for (let number = 0; number < 100; number++) {
      const { call, udp } = openCall()
      await caller.nominate(udp, call.legs[0].credentials)
      await callee.nominate(udp, call.legs[1].credentials)
      await caller.send(encodeMedia(number), udp)
      await callee.receive(1)
      callee.media.length = 0
      call.close()
      await expect.poll(() => count('calls'), { interval: 2 }).toBe(0)
    }
    caller.close()
    callee.close()
    for (const name of ['sources', 'usernames', 'nominatedLegs', 'tcpConnections'] as const) {
      expect(count(name), name).toBe(0)
    }
    expect(count('packets')).toBe(100)
    await expect.poll(resources).toEqual(before)
    expect(started).toHaveBeenCalled()
    expect(stopped.mock.calls.length).toBe(started.mock.calls.length)
    vi.restoreAllMocks()
    const text = await metrics.text()
    expect(text).toContain('meydan_relay_calls 0')
    expect(text).toContain('meydan_relay_packets_total 100')
    expect(text).toContain('meydan_relay_dropped_packets_total{reason="rateLimit"} 0')
  })

  it('[RELAY-17] has 500 calls at once, refuses one more, and takes another after one is closed', async () => {
    const { relay, openCall, count } = openRelay({ maxCalls: 500 })
    const calls = Array.from({ length: 500 }, () => openCall().call)
    expect(relay.openCall(() => {})).toBeNull()
    await expect.poll(() => count('usernames')).toBe(1_000)
    calls[250]?.close()
    await expect.poll(() => relay.openCall(() => {})?.candidates.length ?? 0).toBe(2)
    for (const call of calls) call.close()
    await expect.poll(() => count('usernames')).toBe(2)
  })

  it('[RELAY-19] has no thread before it is needed, and none after close()', async () => {
    const { relay } = openRelay()
    const before = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
    expect(await relay.warmUp()).toBe(true)
    await relay.close()
    expect(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort')).toHaveLength(before)
    expect(relay.openCall(() => {})).toBeNull()
    expect(await relay.warmUp()).toBe(false)
  })

  it('[RELAY-19] takes one port for each worker, and calls fill them evenly', async () => {
    const first = 20_000 + Math.floor(Math.random() * 5_000) * 2
    const { relay, openCall } = openRelay({ port: first, workers: 2 })
    expect(await relay.warmUp()).toBe(true)
    expect([openCall().udp.port, openCall().udp.port].sort()).toEqual([first, first + 1])
    const { call, udp } = openCall()
    await connectBoth(call, udp)
  })

  it('[RELAY-19] refuses calls and names MEYDAN_RELAY_PORT in the log while its port is taken', async () => {
    const other = createSocket('udp4')
    other.bind(0, '127.0.0.1')
    await once(other, 'listening')
    const lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
    const config = { ...LOOPBACK_SETTINGS, port: other.address().port }
    let nowMs = 0
    const relay = createRelay({ config, log, metrics: createMetrics(), now: () => nowMs })
    relays.push(relay)
    const dead: number[] = []
    expect(relay.openCall((leg) => dead.push(leg))).not.toBeNull()
    expect(await relay.warmUp()).toBe(false)
    expect(dead).toEqual([0])
    expect(relay.openCall(() => {})).toBeNull()
    expect(lines.join('')).toContain('MEYDAN_RELAY_PORT')
    expect(lines.join('')).toContain('EADDRINUSE')
    await new Promise<void>((resolve) => other.close(resolve))
    nowMs += 10_001
    expect(await relay.warmUp()).toBe(true)
  })

  it('[RELAY-19] listens at all its addresses once it is warm', async () => {
    const { relay } = openRelay({ addresses: ['127.0.0.1', '::1'] })
    expect(await relay.warmUp()).toBe(true)
  })
})
