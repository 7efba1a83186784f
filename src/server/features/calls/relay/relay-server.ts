import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { MessagePort } from 'node:worker_threads'
import { Forwarder } from './forwarder.ts'
import { COUNTERS, monotonicMs, SharedRelayState } from './shared-state.ts'
import type { Endpoint } from './source-table.ts'
import { openTcpServer, TcpConnections } from './tcp-server.ts'
import type { FromRelayThread, RelayThreadData, ToRelayThread } from './worker-protocol.ts'

/** Room for bursts while the thread is busy; the kernel may grant less. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024

type OnDatagram = (data: Buffer, endpoint: Endpoint, address: string, port: number) => void

/** A bound UDP socket. */
interface UdpEndpoint extends Endpoint {
  close(): void
}

const UPKEEP_INTERVAL_MS = 1_000
const ERROR_REPORT_INTERVAL_MS = 60_000

/** Runs one relay worker on this thread: binds its sockets and carries out what the main thread posts, until it says stop. */
export async function serveRelay(
  port: MessagePort,
  data: RelayThreadData,
  now: () => number = monotonicMs,
): Promise<void> {
  const { limits, buffer, maxCalls } = data
  const state = new SharedRelayState(maxCalls, buffer)
  const forwarder = new Forwarder({ state, limits, now })
  const tcp = new TcpConnections({ forwarder, state, limits, now })
  const post = (message: FromRelayThread) => port.postMessage(message)
  const sockets = new RelaySockets(forwarder, tcp, limitErrors(post, now))
  const timer = setInterval(() => {
    tcp.closeOverdue()
    tcp.renewAllowances()
    recordCpu(state)
  }, UPKEEP_INTERVAL_MS)
  const stop = () => {
    clearInterval(timer)
    sockets.close()
    tcp.close()
    port.close()
  }
  // Attached before the sockets are bound: checks that come first must find their call.
  port.on('message', (message: ToRelayThread) => {
    if (message.kind === 'stop') stop()
    else applyMessage(message, forwarder, post)
  })
  for (const host of data.hosts) {
    try {
      await sockets.open(host, data.port)
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException // an error of the system
      post({ kind: 'bindFailed', code, host, port: data.port })
      stop()
      return
    }
  }
  post({ kind: 'listening' })
}

/** The bound sockets of a worker. */
class RelaySockets {
  private readonly forwarder: Forwarder
  private readonly tcp: TcpConnections
  private readonly onError: (error: Error) => void
  private readonly opened: { close(): void }[] = []
  private isClosed = false

  constructor(forwarder: Forwarder, tcp: TcpConnections, onError: (error: Error) => void) {
    this.forwarder = forwarder
    this.tcp = tcp
    this.onError = onError
  }

  /** Binds UDP and TCP on the same port. Rejects with the system's error. */
  async open(host: string, port: number): Promise<void> {
    const onDatagram = this.forwarder.receive.bind(this.forwarder)
    this.keep(await openUdpEndpoint(host, port, onDatagram, this.onError))
    this.keep(await openTcpServer(host, port, this.tcp, this.onError))
  }

  close(): void {
    this.isClosed = true
    for (const socket of this.opened.splice(0)) socket.close()
  }

  private keep(socket: { close(): void }): void {
    if (this.isClosed) socket.close()
    else this.opened.push(socket)
  }
}

function applyMessage(
  message: Exclude<ToRelayThread, { kind: 'stop' }>,
  forwarder: Forwarder,
  post: (message: FromRelayThread) => void,
): void {
  switch (message.kind) {
    case 'open':
      forwarder.openCall(message.slot, message.credentials)
      break
    case 'restart':
      forwarder.restartLeg(message.slot, message.leg, message.credentials)
      break
    case 'close':
      forwarder.closeCall(message.slot)
      post({ kind: 'freed', slot: message.slot })
  }
}

/** The first error of each minute goes to the log; the socket stays open. */
function limitErrors(post: (message: FromRelayThread) => void, now: () => number): (error: Error) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  return ({ message }) => {
    if (now() - reportedAt < ERROR_REPORT_INTERVAL_MS) return
    reportedAt = now()
    post({ kind: 'socketError', message })
  }
}

function recordCpu(state: SharedRelayState): void {
  const { user, system } = process.threadCpuUsage()
  state.set(COUNTERS.cpuMicroseconds, user + system)
}

/**
 * Binds a UDP socket. Rejects with the system's error. Later errors of the socket go to `onError`; a packet that cannot be sent
 * is lost without one.
 */
async function openUdpEndpoint(
  host: string,
  port: number,
  onDatagram: OnDatagram,
  onError: (error: Error) => void,
): Promise<UdpEndpoint> {
  const family = isIPv6(host) ? 6 : 4
  const socket = createSocket({
    type: `udp${family}`,
    ipv6Only: family === 6,
    recvBufferSize: RECEIVE_BUFFER_BYTES,
    // Every send asks for the address. The default answers after a turn of the event loop, even for an address.
    lookup: (hostname, _options, callback) => callback(null, hostname, family),
  })
  const endpoint = createEndpoint(socket)
  socket.on('message', (data, { address, port: sourcePort }) => onDatagram(data, endpoint, address, sourcePort))
  try {
    // With this lookup the socket listens before bind returns.
    const listening = once(socket, 'listening')
    socket.bind(port, host)
    await listening
  } catch (error) {
    socket.close()
    throw error
  }
  socket.on('error', onError)
  return endpoint
}

function createEndpoint(socket: Socket): UdpEndpoint {
  return {
    // Without a callback a failed send is silent, and nothing is scheduled for it.
    send: (data, port, address) => socket.send(data, port, address),
    release: () => {},
    close: () => socket.close(),
  }
}
