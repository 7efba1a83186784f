import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { silentLog, TEST_LINK_SECRET } from '../../../testing/links/linked-cluster.ts'
import { deriveKeys } from '../../keys.ts'
import { createClusterClock } from '../replication/cluster-clock.ts'
import { LinkClient } from './link-client.ts'
import type { LinkSocket } from './link-connection.ts'
import type { PrimaryMessage, ReplicaMessage } from './link-messages.ts'
import { type LinkedRegion, LinkServer } from './link-server.ts'
import { handleLinkUpgrades, openLinkWebSocket } from './link-socket.ts'

describe('a link over a WebSocket', { timeout: 60_000 }, () => {
  const key = deriveKeys(TEST_LINK_SECRET).link
  let linkServer: LinkServer
  let linkClient: LinkClient
  let url: string
  let elsewhere: (string | undefined)[]
  /** The frames that the region sent, the proof first. */
  let sent: Uint8Array[]
  beforeEach(async () => {
    elsewhere = []
    sent = []
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
    url = `http://127.0.0.1:${port}`
    const position = () => ({ txid: '', seq: 7 })
    linkServer = new LinkServer({
      key,
      region: 'ist',
      url,
      migrationCount: 2,
      clock: Date.now,
      position,
      log: silentLog,
    })
    const links = handleLinkUpgrades(linkServer, { trustedProxies: [] }, (request, socket) => {
      elsewhere.push(request.url)
      socket.destroy()
    })
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy())
      links(request, socket, head)
    })
    const self = { region: 'fra', url: 'http://127.0.0.1:1', migrationCount: 2, isCandidate: true }
    const connect = (to: string) => {
      const socket = openLinkWebSocket(to)
      const send = (frame: Uint8Array) => {
        sent.push(frame)
        socket.send(frame)
      }
      return { ...socket, send }
    }
    linkClient = new LinkClient({
      key,
      ...self,
      openSocket: connect,
      clock: createClusterClock(Date.now),
      log: silentLog,
    })
    return async () => {
      linkClient.close()
      linkServer.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  const linked = (to: string) =>
    new Promise<void>((resolve) => {
      linkClient.onLinked(() => resolve())
      linkClient.connectTo(to)
    })
  const nextToHub = () =>
    new Promise<{ from: LinkedRegion; message: ReplicaMessage }>((resolve) =>
      linkServer.onMessage((from, message) => resolve({ from, message })),
    )
  const nextFromHub = (kind: PrimaryMessage['kind']) =>
    new Promise<PrimaryMessage>((resolve) =>
      linkClient.onMessage((message) => message.kind === kind && resolve(message)),
    )
  const openStranger = async () => {
    const stranger = new WebSocket(`${url.replace('http', 'ws')}/link`)
    const [challenge] = await once(stranger, 'message')
    expect(challenge).toHaveLength(36)
    return stranger
  }
  /** A socket that is cut off may fail before it closes. */
  const closeCode = (socket: WebSocket) =>
    new Promise<number>((resolve) => socket.on('error', () => {}).on('close', (code) => resolve(code)))

  it('[REG-12] links, carries a command and its answer, and ends', async () => {
    linkServer.setAccepting(true)
    await linked(url)
    expect(linkServer.regions()).toMatchObject([{ region: 'fra', isCandidate: true }])
    const handshake = nextToHub()
    linkClient.send({ kind: 'getPosition', id: 5 })
    const { from, message } = await handshake
    expect(message).toEqual({ kind: 'getPosition', id: 5 })
    const answered = nextFromHub('position')
    from.send({ kind: 'position', id: 5, position: { txid: '00ff', seq: 8 } })
    expect(await answered).toEqual({ kind: 'position', id: 5, position: { txid: '00ff', seq: 8 } })
    const unlinked = new Promise<void>((resolve) => linkClient.onUnlinked(resolve))
    linkServer.setAccepting(false)
    await unlinked
    expect(linkClient.isLinked()).toBe(false)
  })

  it('[REG-16] links to a primary that starts later, and carries a frame of the largest size', async () => {
    linkServer.setAccepting(false)
    const { accept } = linkServer
    vi.spyOn(linkServer, 'accept').mockImplementation((...knocks) => {
      accept.apply(linkServer, knocks)
      linkServer.setAccepting(true)
    })
    await linked(url)
    const received = nextToHub()
    const payload = new Uint8Array(1024 * 1024 - 100).fill(7)
    expect(linkClient.send({ kind: 'relay', to: 'ist', topic: 'x', payload })).toBe(true)
    expect(await received).toMatchObject({ message: { kind: 'relay', topic: 'x' } })
    expect(linkClient.isLinked()).toBe(true)
  })

  it('[REG-15] reads nothing while it is paused, and everything afterwards', async () => {
    const ends: LinkSocket[] = []
    vi.spyOn(linkServer, 'accept').mockImplementation((socket) => {
      ends.push(socket)
      socket.onFrame((frame) => socket.send(frame))
      socket.send(Uint8Array.of(0))
    })
    const open = async () => {
      const socket = openLinkWebSocket(url)
      await answer(socket)
      return socket
    }
    const answer = (socket: LinkSocket) => new Promise<Uint8Array>((resolve) => socket.onFrame(resolve))
    const [pausedSocket, free] = [await open(), await open()]
    ends[0]?.setPaused(true)
    const waitingAnswers: number[] = []
    pausedSocket.onFrame((frame) => waitingAnswers.push(frame[0] ?? 0))
    for (const byte of [1, 2, 3]) pausedSocket.send(Uint8Array.of(byte))
    for (let round = 0; round < 50; round++) {
      const answered = answer(free)
      free.send(Uint8Array.of(9))
      await answered
    }
    expect(waitingAnswers).toEqual([])
    ends[0]?.setPaused(false)
    await vi.waitUntil(() => waitingAnswers.length === 3, 30_000)
    expect(waitingAnswers).toEqual([1, 2, 3])
    for (const socket of [pausedSocket, free]) socket.close(1000)
  })

  it('[REG-14] cuts off an unauthenticated socket as soon as it exceeds a handshake', async () => {
    linkServer.setAccepting(true)
    const stranger = await openStranger()
    stranger.send(new Uint8Array(1024 * 1024))
    expect(await closeCode(stranger)).toBe(1006)
  })

  it('[REG-14] rejects text frames and invalid proofs', async () => {
    linkServer.setAccepting(true)
    for (const wrong of ['text', new Uint8Array(100)]) {
      const stranger = await openStranger()
      stranger.send(wrong)
      expect(await closeCode(stranger)).toBe(4401)
    }
    expect(linkServer.regions()).toEqual([])
  })

  it('[REG-13] rejects a replayed proof', async () => {
    linkServer.setAccepting(true)
    await linked(url)
    const stranger = await openStranger()
    stranger.send(sent[0] ?? '')
    expect(await closeCode(stranger)).toBe(4401)
    expect(linkClient.isLinked()).toBe(true)
  })

  it('passes upgrades of other paths on', async () => {
    const other = new WebSocket(`${url.replace('http', 'ws')}/vite?link`)
    await closeCode(other)
    expect(elsewhere).toEqual(['/vite?link'])
  })

  it.each(['no url', 'http://127.0.0.1:1', 'ftp://127.0.0.1'])(
    'reports a URL that cannot be opened: %s',
    async (wrong) => {
      const socket = openLinkWebSocket(wrong)
      await new Promise((resolve) => socket.onClose(resolve))
    },
  )
})
