import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { encodeCheck, encodeMedia, IceClient, mediaNumber } from '../testing/ice-client.ts'
import { InMemoryRelay } from '../testing/in-memory-relay.ts'
import { openTestRelay, type TestRelay } from '../testing/open-relay.ts'
import type { RelayCandidate } from './relay-call.ts'
import { encodeFrame, FrameReader, TcpConnections } from './tcp-server.ts'
import { DEFAULT_RELAY_LIMITS } from './worker-protocol.ts'

const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function openRelay(...parameters: Parameters<typeof openTestRelay>): TestRelay {
  const opened = openTestRelay(...parameters)
  closers.push(() => opened.relay.close())
  return opened
}

async function openUdpClient(): Promise<IceClient> {
  const client = await IceClient.open()
  closers.push(() => client.close())
  return client
}

async function openTcpClient(candidate: RelayCandidate): Promise<{ client: IceClient; socket: Socket }> {
  let socket: Socket | undefined
  const client = await IceClient.connect(candidate, (own) => {
    socket = own
  })
  closers.push(() => client.close())
  if (!socket) throw new Error('no socket')
  return { client, socket }
}

/** Resolves when a socket is closed, also by a reset: one that the relay ends may have bytes that were not read. */
function whenClosed(socket: Socket): Promise<unknown> {
  socket.on('error', () => {})
  return new Promise((resolve) => socket.once('close', resolve))
}

/** A bare connection, which reads nothing by itself; `closed` resolves when the relay has ended it. */
async function openSocket({ port, address }: RelayCandidate): Promise<{ socket: Socket; closed: Promise<unknown> }> {
  const socket = connect(port, address)
  closers.push(() => socket.destroy())
  const closed = whenClosed(socket)
  await once(socket, 'connect')
  socket.resume()
  return { socket, closed }
}

/** A connected socket that a test reads for. */
class FakeSocket extends Duplex {
  readonly remoteAddress: string
  readonly remotePort = 5_000
  constructor(remoteAddress = '192.0.2.1') {
    super()
    this.remoteAddress = remoteAddress
  }
  setNoDelay(): void {}
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done()
  }
}

describe('frames over TCP', () => {
  it('[RELAY-13] are found however the stream is cut, in order and unchanged', () => {
    const packets = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 12 })
    const cuts = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(packets, cuts, (packets, cuts) => {
        const stream = Buffer.concat(packets.map((packet) => encodeFrame(Buffer.from(packet))))
        const reader = new FrameReader(300)
        const found: string[] = []
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const length = cuts[turn % cuts.length] ?? 1
          const onPacket = (packet: Buffer) => found.push(packet.toString('hex')) > 0
          expect(reader.read(stream.subarray(at, at + length), onPacket)).toBe(true)
          at += length
        }
        expect(found).toEqual(packets.map((packet) => Buffer.from(packet).toString('hex')))
      }),
    )
  })

  it('[RELAY-13] may have no bytes, and a length beyond the maximum ends the stream', () => {
    const reader = new FrameReader(100)
    const found: string[] = []
    const onPacket = (packet: Buffer) => found.push(String(packet)) > 0
    expect(reader.read(Buffer.concat([Buffer.alloc(4), encodeFrame(Buffer.from('a'))]), onPacket)).toBe(true)
    expect(found).toEqual(['', '', 'a'])
    expect(reader.read(encodeFrame(Buffer.alloc(101)), onPacket)).toBe(false)
  })
})

describe('the relay over TCP', () => {
  it('[RELAY-16] passes packets between TCP and UDP, and between two connections', async () => {
    const { relay, openCall } = openRelay()
    await relay.warmUp()
    const { call, udp, tcp } = openCall()
    const { client: caller } = await openTcpClient(tcp)
    const callee = await openUdpClient()
    const answer = await caller.nominate(tcp, call.legs[0].credentials)
    expect(answer.getAttributeValue('XOR-MAPPED-ADDRESS')).toEqual(['127.0.0.1', caller.port])
    await callee.nominate(udp, call.legs[1].credentials)
    await caller.send(encodeMedia(1, 1_300), tcp)
    await callee.send(encodeMedia(2, 1_300), udp)
    expect(await callee.receive(1)).toEqual([1])
    expect(await caller.receive(1)).toEqual([2])
    const { client: moved } = await openTcpClient(tcp)
    await moved.nominate(tcp, call.legs[1].credentials)
    for (let number = 3; number < 103; number++) await caller.send(encodeMedia(number), tcp)
    const numbers = await moved.receive(100)
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => index + 3))
    expect(callee.media).toHaveLength(1)
  })

  it('[RELAY-16] works over IPv6', async () => {
    const { relay, openCall } = openRelay({ addresses: ['::1'] })
    await relay.warmUp()
    const { call, tcp } = openCall()
    const { client } = await openTcpClient(tcp)
    const answer = await client.nominate(tcp, call.legs[0].credentials)
    expect(answer.getAttributeValue('XOR-MAPPED-ADDRESS')).toEqual(['::1', client.port])
  })

  it('[RELAY-13] reads checks and media that come byte by byte or all at once', async () => {
    const { relay, openCall } = openRelay()
    await relay.warmUp()
    const { call, udp, tcp } = openCall()
    const callee = await openUdpClient()
    await callee.nominate(udp, call.legs[1].credentials)
    const { client, socket } = await openTcpClient(tcp)
    for (const byte of encodeFrame(encodeCheck(call.legs[0].credentials, { isNominating: true }))) {
      await new Promise((resolve) => socket.write(Buffer.from([byte]), resolve))
    }
    await expect.poll(() => client.responses.length).toBe(1)
    socket.write(Buffer.concat([1, 2, 3].map((number) => encodeFrame(encodeMedia(number)))))
    expect(await callee.receive(3)).toEqual([1, 2, 3])
  })

  it('[RELAY-14] closes a connection at once that sends a hostile length, and after eight packets without a check', async () => {
    const { relay, openCall, count } = openRelay({}, { tcpCheckTimeoutMs: 1e9 })
    await relay.warmUp()
    const { call, tcp } = openCall()
    const hostile = await openSocket(tcp)
    hostile.socket.write(Buffer.from([0xff, 0xff, 0x80]))
    await hostile.closed
    const http = await openSocket(tcp)
    http.socket.write('GET / HTTP/1.1\r\nHost: meydan\r\n\r\n')
    await http.closed
    const impatient = await openSocket(tcp)
    impatient.socket.write(Buffer.concat(Array.from({ length: 8 }, () => encodeFrame(encodeMedia(1)))))
    await impatient.closed
    const empty = await openSocket(tcp)
    empty.socket.write(Buffer.alloc(2 * 8))
    await empty.closed
    const guessing = await openSocket(tcp)
    const wrong = { ...call.legs[0].credentials, password: 'x'.repeat(24) }
    guessing.socket.write(Buffer.concat(Array.from({ length: 8 }, () => encodeFrame(encodeCheck(wrong)))))
    await guessing.closed
    expect(count('stunWrongIntegrity')).toBe(8)
    await expect.poll(() => count('tcpConnections')).toBe(0)
  })

  it('[RELAY-14] closes a connection that brings no valid check in time, and keeps the others', async () => {
    const { relay, openCall, count } = openRelay({}, { tcpCheckTimeoutMs: 3_000 })
    await relay.warmUp()
    const { call, tcp } = openCall()
    const { client, socket } = await openTcpClient(tcp)
    await client.nominate(tcp, call.legs[0].credentials)
    const silent = await openSocket(tcp)
    const dripping = await openSocket(tcp)
    dripping.socket.write(Buffer.from([0]))
    await Promise.all([silent.closed, dripping.closed])
    await expect.poll(() => count('tcpConnections')).toBe(1)
    expect(socket.destroyed).toBe(false)
  })

  it('[RELAY-14] closes the oldest connection of an address without a check when there are too many', async () => {
    const { relay, openCall, count } = openRelay({}, { tcpPending: 3, tcpCheckTimeoutMs: 1e9 })
    await relay.warmUp()
    const { call, tcp } = openCall()
    const { client, socket } = await openTcpClient(tcp)
    await client.nominate(tcp, call.legs[0].credentials)
    const waiting = [await openSocket(tcp), await openSocket(tcp), await openSocket(tcp)]
    await expect.poll(() => count('tcpConnections')).toBe(4)
    await openSocket(tcp)
    await waiting[0]?.closed
    await expect.poll(() => count('tcpConnections')).toBe(4)
    expect([socket, ...waiting.slice(1).map((each) => each.socket)].map(({ destroyed }) => destroyed)).toEqual([
      ...[false, false, false],
    ])
  })

  it('[RELAY-14] keeps a connection of an address with few of them, though others have more than there is room for', () => {
    const { forwarder, state } = new InMemoryRelay()
    const limits = { ...DEFAULT_RELAY_LIMITS, tcpPending: 4 }
    const connections = new TcpConnections({ forwarder, state, limits, now: () => 0 })
    const open = (address: string) => {
      const socket = new FakeSocket(address)
      connections.add(socket as unknown as Socket) // the parts of it that are used
      return socket
    }
    const browser = open('192.0.2.1')
    const flood = Array.from({ length: 20 }, (_, index) => open(`203.0.113.${index % 2}`))
    expect(browser.destroyed).toBe(false)
    expect(flood.filter(({ destroyed }) => !destroyed)).toEqual(flood.slice(-3))
    connections.close()
  })

  it.each([{ tcpConnectionsPerAddress: 2 }, { tcpConnections: 2 }])(
    '[RELAY-14] refuses a connection beyond the maximum of an address and of all: %o',
    async (limits) => {
      const { relay, openCall, count } = openRelay({}, { ...limits, tcpCheckTimeoutMs: 1e9 })
      await relay.warmUp()
      const { tcp } = openCall()
      const [first] = [await openSocket(tcp), await openSocket(tcp)]
      await (await openSocket(tcp)).closed
      expect(count('tcpConnections')).toBe(2)
      first.socket.destroy()
      await expect.poll(() => count('tcpConnections')).toBe(1)
      await openSocket(tcp)
      await expect.poll(() => count('tcpConnections')).toBe(2)
    },
  )

  it('[RELAY-15] drops media for a reader that is too slow, closes it when it stays so, and slows no other call', async () => {
    const { relay, openCall, count } = openRelay(
      {},
      { tcpStallTimeoutMs: 300, packetsPerSecond: 1e9, bytesPerSecond: 1e12 },
    )
    await relay.warmUp()
    const { call, udp, tcp } = openCall()
    const { client, socket } = await openTcpClient(tcp)
    await client.nominate(tcp, call.legs[0].credentials)
    const caller = await openUdpClient()
    await caller.nominate(udp, call.legs[1].credentials)
    socket.pause()
    const other = openCall()
    const [one, two] = [await openUdpClient(), await openUdpClient()]
    await one.nominate(udp, other.call.legs[0].credentials)
    await two.nominate(udp, other.call.legs[1].credentials)
    for (let number = 0; count('tcpConnections') > 0; number++) {
      await caller.send(encodeMedia(number, 1_400), udp)
      if (number > 1_000_000) throw new Error('the slow reader is still connected')
    }
    expect(count('tcpBacklog')).toBeGreaterThan(0)
    expect(count('nominatedLegs')).toBe(3)
    await one.send(encodeMedia(7), udp)
    await expect.poll(() => two.media.map(mediaNumber)).toEqual([7])
  })

  it('[RELAY-15] reads no more in a second than a leg may send, be it in large packets or in small ones', () => {
    for (const packet of [encodeMedia(1, 1_000), encodeMedia(1, 12), Buffer.alloc(0)]) {
      const { forwarder, state, credentials } = new InMemoryRelay()
      const limits = { ...DEFAULT_RELAY_LIMITS, bytesPerSecond: 20_000 }
      const connections = new TcpConnections({ forwarder, state, limits, now: () => 0 })
      const socket = new FakeSocket()
      connections.add(socket as unknown as Socket) // the parts of it that are used
      socket.emit('data', encodeFrame(encodeCheck(credentials[0], { isNominating: true })))
      const send = () => {
        for (let bytes = 0; bytes < 1e6 && !socket.isPaused(); bytes += packet.length + 100)
          socket.emit('data', encodeFrame(packet))
        return socket.isPaused()
      }
      expect(send()).toBe(true)
      connections.renewAllowances()
      expect(socket.isPaused()).toBe(false)
      expect(send()).toBe(true)
      connections.close()
    }
  })

  it('[RELAY-17] ends the connections of a call with the call', async () => {
    const { relay, openCall, count } = openRelay()
    await relay.warmUp()
    const { call, tcp } = openCall()
    const { client, socket } = await openTcpClient(tcp)
    const closed = whenClosed(socket)
    await client.nominate(tcp, call.legs[0].credentials)
    call.close()
    await closed
    await expect.poll(() => count('tcpConnections')).toBe(0)
    expect(count('sources')).toBe(0)
  })

  it('[RELAY-06] drops what is sent to a lost connection, until the leg is nominated again', async () => {
    const { relay, openCall, count } = openRelay()
    await relay.warmUp()
    const { call, udp, tcp } = openCall()
    const { client } = await openTcpClient(tcp)
    await client.nominate(tcp, call.legs[0].credentials)
    const callee = await openUdpClient()
    await callee.nominate(udp, call.legs[1].credentials)
    client.close()
    await expect.poll(() => count('nominatedLegs')).toBe(1)
    for (let number = 1; number <= 20; number++) await callee.send(encodeMedia(number), udp)
    await expect.poll(() => count('notReady')).toBe(12)
    const again = await openUdpClient()
    await again.nominate(udp, call.legs[0].credentials)
    expect(await again.receive(8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})
