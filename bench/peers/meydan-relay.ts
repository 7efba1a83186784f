import { Writable } from 'node:stream'
import { pino } from 'pino'
import { createRelay } from '../../src/server/features/calls/relay/relay.ts'
import type { RelayCall } from '../../src/server/features/calls/relay/relay-call.ts'
import { rewriteDescription } from '../../src/server/features/calls/sdp.ts'
import { createMetrics } from '../../src/server/kernel/operations/metrics.ts'
import { type RelayRequest, serveLines } from './serve-lines.ts'

/** Our relay as a process of its own, so that its CPU is that of the relay alone. */
const MAX_CALLS = 1_000
const relay = createRelay({
  config: { port: 0, addresses: ['127.0.0.1'], hosts: ['127.0.0.1'], workers: 1, maxCalls: MAX_CALLS },
  // Standard output has the answers.
  log: pino(
    { level: 'warn' },
    new Writable({ write: (chunk, _encoding, done) => process.stderr.write(chunk, () => done()) }),
  ),
  metrics: createMetrics(),
})
const calls = new Map<number, RelayCall>()
await relay.warmUp()
await serveLines(rewrite)

/** The offer goes to the callee and the answer to the caller, each with the credentials of its reader's leg. */
function rewrite({ op, call: number, sdp }: RelayRequest) {
  const call = calls.get(number) ?? relay.openCall(() => {})
  if (!call) throw new Error('the relay is full')
  calls.set(number, call)
  const type = op === 'offer' ? 'offer' : 'answer'
  const { credentials } = call.legs[type === 'offer' ? 1 : 0]
  const { candidates } = call
  const rewritten = rewriteDescription(sdp, type, { credentials, candidates }, (reason) => {
    throw new Error(`the description is refused: ${reason}`)
  })
  return { sdp: rewritten }
}
