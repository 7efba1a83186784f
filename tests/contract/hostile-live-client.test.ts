import { setImmediate } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { userStream } from '../../src/server/kernel/database/events/streams.ts'
import { Connection } from '../../src/server/kernel/live/connection.ts'
import { roomStream } from '../../src/server/kernel/presence/streams.ts'
import { openRawWebSocket } from '../../src/server/testing/fixtures/raw-websocket.ts'
import type { TestClient, TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import { SeededRandom } from '../../src/server/testing/simulation/seeded-random.ts'
import { commands, type EventName, events } from '../../src/shared/protocol/catalogue.ts'
import type { CommandSpec } from '../../src/shared/protocol/define.ts'
import { decodeServerFrame, encode, Kind, type ServerValue } from '../../src/shared/protocol/frame.ts'
import { refusals } from '../../src/shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../src/shared/protocol/version.ts'
import { type HttpRegion, startHttpRegion } from '../drivers/http-region.ts'
import { PATIENCE_MS } from '../drivers/patience.ts'
import { malformedMessages, mutate, wellFormedMessage } from './hostile-frames.ts'
import { createValidPayload } from './valid-payload.ts'

/** `HOSTILE_SEED=7` repeats one run, `HOSTILE_RUNS=500` makes more. */
const { HOSTILE_SEED, HOSTILE_RUNS = '1', TEST_SEED = '1' } = process.env
const seeds = HOSTILE_SEED
  ? [Number(HOSTILE_SEED)]
  : Array.from({ length: Number(HOSTILE_RUNS) }, (_, index) => index + 1)
const seedsOfRun = HOSTILE_SEED ? [] : Array.from({ length: 5 }, (_, index) => Number(TEST_SEED) + 1 + index)
const CONNECTIONS_PER_RUN = 8
const MAX_MESSAGES = 20
/** Of the server, of ws for bytes that are no WebSocket or UTF-8, of a client's close frame, and of a lost connection. */
const CLOSE_CODES = [4400, 4401, 4403, 4409, 4413, 4429, 1002, 1007, 1008, 1009, 1000, 1005, 1006]

let site: HttpRegion
let bystanders: TestClient[]
const said: string[] = []

beforeAll(async () => {
  site = await startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000', MEYDAN_JOIN_WAIT_MS: '0' })
  const { region } = site
  bystanders = [
    await region.connectAs(await region.createGuest('ada'), 1),
    await region.connectAs(await region.createGuest('can'), 1),
  ]
  vi.spyOn(region.appContext.log, 'error')
})
afterAll(() => site.close())

/** A valid frame of each command. */
function recordFrames({ token, username }: TestUser): Buffer[] {
  const examples = { token: () => token, freshName: () => `${username}2` }
  return Object.entries<CommandSpec>(commands).map(([name, { input }], index) =>
    Buffer.from(encode([Kind.request, index % 100, name, createValidPayload(input, examples)])),
  )
}

/** One connection of the attacker: returns all values that it receives until it is closed. */
async function attackOnce(
  random: SeededRandom,
  { token }: TestUser,
  frames: readonly Buffer[],
): Promise<ServerValue[]> {
  const received: ServerValue[] = []
  const { ws, socket, closed } = await openRawWebSocket(site.origin)
  ws.on('message', (data: Buffer) => received.push(...decodeServerFrame(data)))
  if (random.isLikely(0.8)) {
    const hello = { protocol: PROTOCOL_MAJOR, token, browserId: 'kötü', platform: 'web' }
    ws.send(encode([Kind.request, 0, 'hello', hello]))
    ws.send(encode([Kind.request, 0, 'joinRoom', { roomId: 1 }]))
    ws.send(encode([Kind.request, 0, 'unknown', {}]))
    const hasBothKinds = () => [Kind.answer, Kind.refusal].every((kind) => received.some((value) => value[0] === kind))
    const served = new Promise<void>((resolve) => ws.on('message', () => hasBothKinds() && resolve()))
    if (random.isLikely(0.8)) await Promise.race([served, closed])
  }
  const messages = Array.from({ length: random.integer(1, MAX_MESSAGES) }, () =>
    wellFormedMessage(random, mutate(random, frames)),
  )
  if (random.isLikely(0.3)) socket.end(malformedMessages(random, messages))
  else {
    for (const message of messages) {
      if (socket.writable) socket.write(message)
      if (random.isLikely(0.5)) await setImmediate()
    }
    const answered = new Promise((resolve) => ws.once('pong', resolve))
    if (ws.readyState === WebSocket.OPEN) ws.ping()
    await Promise.race([answered, closed])
    ws.close()
  }
  expect(CLOSE_CODES).toContain(await closed)
  return received
}

function expectHarmless(values: readonly ServerValue[]): void {
  for (const value of values) {
    if (value[0] !== Kind.refusal) continue
    expect(refusals).toHaveProperty(value[2].code)
    expect(value[2].code).not.toBe('Failed')
    expect(value[2].message).toMatch(/\p{L}/u)
  }
}

/** The bystanders talk in turn; each command is answered, and what each says reaches the other. */
async function expectChatToWork(): Promise<void> {
  for (const bystander of bystanders) bystander.pong()
  const [speaker, listener] = said.length % 2 ? bystanders.toReversed() : bystanders
  const content = `Söz ${said.length}`
  said.push(content)
  expect(await speaker?.request('sendMessage', { roomId: 1, content })).toMatchObject({ success: true })
  await listener?.waitForEvent('message', (message) => message.content === content)
}

/** What must be gone after an attack. */
function countKept(): Record<string, number> {
  const { connections, appContext } = site.region
  return {
    connections: connections.size,
    subscriptions: [...appContext.publisher.subscribers(roomStream(1))].length,
    keptConnections: queryObjects(Connection, { format: 'count' }),
    sockets: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
  }
}

async function attackWith(seed: number): Promise<void> {
  const random = new SeededRandom(seed)
  const before = countKept()
  const attackers = [await site.region.createGuest(`kötü${seed}`), await site.region.createMember(`fena${seed}`)]
  const recorded = attackers.map((attacker) => ({ attacker, frames: recordFrames(attacker) }))
  const kinds = new Set<number>()
  for (let count = 0; count < CONNECTIONS_PER_RUN; count++) {
    const { attacker, frames } = random.pick(recorded)
    const received = await attackOnce(random, attacker, frames)
    expectHarmless(received)
    for (const [kind] of received) kinds.add(kind)
    await expectChatToWork()
  }
  expect([...kinds], 'some connections are served before they attack').toEqual(
    expect.arrayContaining([Kind.answer, Kind.refusal]),
  )
  expect(site.region.appContext.log.error).not.toHaveBeenCalled()
  await vi.waitFor(
    () => {
      for (const [name, count] of Object.entries(countKept()))
        expect(count, name).toBeLessThanOrEqual(before[name] ?? 0)
    },
    { timeout: PATIENCE_MS, interval: 200 },
  )
  const { publisher } = site.region.appContext
  expect(attackers.filter(({ userId }) => publisher.hasSubscribers(userStream(userId)))).toEqual([])
}

describe('a hostile client', () => {
  it.each(seeds)('[LIVE-47] disturbs nobody and leaves nothing: HOSTILE_SEED=%s', attackWith)
  it.each(seedsOfRun)('disturbs nobody with a seed of this run: HOSTILE_SEED=%s', { tags: 'deep' }, attackWith)

  it('[LIVE-47] sends a bystander only events that fit their schema, and each other’s messages unchanged', () => {
    for (const { transport } of bystanders) {
      const received = transport.received.flatMap((value) => {
        if (value[0] === Kind.event) return [{ name: value[2], payload: value[3] }]
        return value[0] === Kind.ephemeral ? [{ name: value[1], payload: value[2] }] : []
      })
      const odd = received.filter(({ name, payload }) => !v.is(events[name as EventName].payload, payload)) // only catalogued names are sent
      expect(odd).toEqual([])
      const ownWords = received.filter(
        ({ name, payload }) => name === 'message' && /^(?:ada|can)$/.test(String(payload.senderUsername)),
      )
      expect(ownWords.map(({ payload }) => payload.content)).toEqual(said)
      expect(transport.closeCode).toBeNull()
    }
  })
})
