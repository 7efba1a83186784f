import type { MessagePort } from 'node:worker_threads'
import { Forwarder } from './forwarder.ts'
import { COUNTERS, monotonicMs, SharedRelayState } from './shared-state.ts'
import { openUdpEndpoint, type UdpEndpoint } from './udp-endpoint.ts'
import type { FromRelayThread, RelayThreadData, ToRelayThread } from './worker-protocol.ts'

const STATISTICS_INTERVAL_MS = 1_000
const ERROR_REPORT_INTERVAL_MS = 60_000

/** Runs one relay worker on this thread: binds its sockets and carries out what the main thread posts, until it says stop. */
export async function serveRelay(
  port: MessagePort,
  data: RelayThreadData,
  now: () => number = monotonicMs,
): Promise<void> {
  const state = new SharedRelayState(data.maxCalls, data.buffer)
  const forwarder = new Forwarder({ state, limits: data.limits, now, onSourceRemoved: () => {} })
  const post = (message: FromRelayThread) => port.postMessage(message)
  const endpoints: UdpEndpoint[] = []
  const onError = limitErrors(post, now)
  const onDatagram = forwarder.receive.bind(forwarder)
  const timer = setInterval(() => recordCpu(state), STATISTICS_INTERVAL_MS)
  const stop = () => {
    clearInterval(timer)
    for (const endpoint of endpoints) endpoint.close()
    port.close()
  }
  // Attached before the sockets are bound: checks that come first must find their call.
  port.on('message', (message: ToRelayThread) => {
    if (message.kind === 'stop') stop()
    else applyMessage(message, forwarder, post)
  })
  for (const host of data.hosts) {
    try {
      endpoints.push(await openUdpEndpoint(host, data.port, onDatagram, onError))
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException // an error of the system
      post({ kind: 'bindFailed', code, host, port: data.port })
      return stop()
    }
  }
  post({ kind: 'listening' })
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
