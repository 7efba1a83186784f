import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What happens to traffic of a connection: it passes after a delay; it is held, as by a cable that is
 * unplugged; or connections are reset and refused, as by a machine that is down.
 */
export type NetworkCondition = { passesAfterMs: number } | 'stalled' | 'refused'

/** From the caller, or back to it. */
export type Direction = 'upstream' | 'downstream'

/** A proxy in front of a loopback port that simulates network faults. */
export interface FaultProxy {
  /** The URL that callers use instead of the port. */
  readonly url: string
  /** Makes every connection read its condition again. */
  applyConditions(): void
  close(): Promise<void>
}

/** Above this number of bytes in flight the sender is paused. */
const MAX_IN_FLIGHT_BYTES = 1 << 20

/** Calls `conditionOf` once a connection and the function that it returns at every update. */
export async function openFaultProxy(
  port: number,
  conditionOf: (callerPort: number, relayPort: number) => (direction: Direction) => NetworkCondition,
) {
  const connections = new Set<() => void>()
  const sockets = new Set<Socket>()
  const server = createServer((caller) => {
    const { port: relayPort } = server.address() as AddressInfo // it listens on a port, not on a pipe
    const condition = conditionOf(caller.remotePort ?? 0, relayPort)
    if (condition('upstream') === 'refused') return void caller.resetAndDestroy()
    const called = connect(port, '127.0.0.1')
    const [there, back] = [
      pipeWithCondition(caller, called, () => condition('upstream')),
      pipeWithCondition(called, caller, () => condition('downstream')),
    ]
    const update = () => {
      if (condition('upstream') === 'refused') for (const socket of [caller, called]) socket.resetAndDestroy()
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

/** Forwards one direction in order, including end and error. Returns the function that forwards what is due. */
function pipeWithCondition(from: Socket, to: Socket, condition: () => NetworkCondition): () => void {
  const inFlight: { sentAt: number; bytes: number; arrive: () => void }[] = []
  let timer: NodeJS.Timeout | undefined

  const move = () => {
    clearTimeout(timer)
    const now = condition()
    if (typeof now === 'string') return
    for (let first = inFlight[0]; first; first = inFlight[0]) {
      const wait = first.sentAt + now.passesAfterMs - performance.now()
      if (wait > 0) {
        timer = setTimeout(move, wait)
        return
      }
      inFlight.shift()
      first.arrive()
    }
    from.resume()
  }
  const send = (bytes: number, arrive: () => void) => {
    inFlight.push({ sentAt: performance.now(), bytes, arrive })
    if (inFlight.reduce((sum, item) => sum + item.bytes, 0) > MAX_IN_FLIGHT_BYTES) from.pause()
    move()
  }
  from.on('data', (chunk) => send(chunk.length, () => to.write(chunk)))
  from.on('end', () => send(0, () => to.end()))
  from.on('error', () => send(0, () => to.destroy()))
  return move
}
