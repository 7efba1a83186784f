import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What becomes of what a caller sends and is sent: it passes after so long; or it is held, as by a cable that is
 * unplugged; or connections are reset and refused, as by a machine that is gone.
 */
export type NetworkCondition = { passesAfterMs: number } | 'stalled' | 'refused'

/** From the caller, or back to it. */
export type Direction = 'upstream' | 'downstream'

/** A stretch of network in front of a port of loopback. */
export interface FaultProxy {
  /** Where callers go instead. */
  readonly url: string
  /** Has every connection ask anew what becomes of it. */
  applyConditions(): void
  close(): Promise<void>
}

/** More than this on its way, and the sender has to wait. */
const MAX_IN_FLIGHT_BYTES = 1 << 20

/** `fateOf` is asked with the caller's port, once a connection; what it answers at every update. */
export async function openFaultProxy(
  port: number,
  fateOf: (callerPort: number, relayPort: number) => (direction: Direction) => NetworkCondition,
) {
  const connections = new Set<() => void>()
  const sockets = new Set<Socket>()
  const server = createServer((caller) => {
    const { port: relayPort } = server.address() as AddressInfo // it listens on a port, not on a pipe
    const fate = fateOf(caller.remotePort ?? 0, relayPort)
    if (fate('upstream') === 'refused') return void caller.resetAndDestroy()
    const called = connect(port, '127.0.0.1')
    const [there, back] = [
      pipeWithCondition(caller, called, () => fate('upstream')),
      pipeWithCondition(called, caller, () => fate('downstream')),
    ]
    const update = () => {
      if (fate('upstream') === 'refused') for (const socket of [caller, called]) socket.resetAndDestroy()
      there()
      back()
    }
    connections.add(update)
    for (const socket of [caller, called]) {
      sockets.add(socket)
      socket.once('close', () => {
        sockets.delete(socket)
        if (caller.closed && called.closed) connections.delete(update)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const relay: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port, not on a pipe
    applyConditions: () => {
      for (const update of connections) update()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
    },
  }
  return relay
}

/** Carries one direction, in order, ends and breaks included; answers the function that moves it on. */
function pipeWithCondition(from: Socket, to: Socket, fate: () => NetworkCondition): () => void {
  const onTheWay: { sentAt: number; bytes: number; arrive: () => void }[] = []
  let timer: NodeJS.Timeout | undefined

  const move = () => {
    clearTimeout(timer)
    const now = fate()
    if (typeof now === 'string') return
    for (let first = onTheWay[0]; first; first = onTheWay[0]) {
      const wait = first.sentAt + now.passesAfterMs - performance.now()
      if (wait > 0) {
        timer = setTimeout(move, wait)
        return
      }
      onTheWay.shift()
      first.arrive()
    }
    from.resume()
  }
  const send = (bytes: number, arrive: () => void) => {
    onTheWay.push({ sentAt: performance.now(), bytes, arrive })
    if (onTheWay.reduce((sum, item) => sum + item.bytes, 0) > MAX_IN_FLIGHT_BYTES) from.pause()
    move()
  }
  from.on('data', (chunk) => send(chunk.length, () => to.write(chunk)))
  from.on('end', () => send(0, () => to.end()))
  from.on('error', () => send(0, () => to.destroy()))
  return move
}
