import { beforeEach, describe, expect, it } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { createRoomPage, RoomHarness } from '../room-chat/testing/room-harness.ts'

let environment: FakeEnvironment
let client: RoomHarness

beforeEach(() => {
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
})

const joins = () => environment.transport.sent.filter((value) => value[2] === 'joinRoom').map((value) => value[3])
const notice = () => client.conversation.limits.value?.notice.shown.value ?? null

describe('the subscription to the room of a page', () => {
  it("[ROOM-08] joins with the page's cursor, once", async () => {
    await client.openRoom(createRoomPage({ cursor: 140 }))
    expect(environment.transport.request('hello').input).toMatchObject({ cursor: 140 })
    expect(joins()).toEqual([{ roomId: 1, cursor: 140 }])
    expect(client.live.roomId).toBe(1)
  })

  it("[ROOM-08] uses the page's cursor again when the connection was lost before the answer", async () => {
    client.roomSubscription.openPage(createRoomPage({ cursor: 140 }))
    await client.answerHello()
    environment.transport.drop()
    await environment.advance(6_000)
    await client.answerHello()
    expect(environment.transport.request('hello').input).not.toHaveProperty('roomId')
    expect(joins()).toEqual([{ roomId: 1, cursor: 140 }])
  })

  it("[ROOM-08] joins without a cursor when the log does not cover the page's cursor", async () => {
    client.roomSubscription.openPage(createRoomPage({ cursor: 140 }))
    await client.answerHello({ resumed: false })
    expect(joins()).toEqual([{ roomId: 1 }])
  })

  it('[LIVE-17] does not join again when it resumes in the room', async () => {
    await client.openRoom()
    environment.transport.drop()
    await environment.advance(6_000)
    await client.answerHello({ roomId: 1 })
    expect(joins()).toEqual([])
    expect(client.live.roomId).toBe(1)
  })

  it('[LIVE-17] [ROOM-06] joins again when a resume did not rejoin the room, and shows a refusal', async () => {
    await client.openRoom()
    environment.transport.drop()
    await environment.advance(6_000)
    await client.answerHello()
    expect(joins()).toEqual([{ roomId: 1 }])
    environment.transport.refuse('joinRoom', { code: 'RoomNotFound', message: 'Oda bulunamadı!' })
    await flushPromises()
    expect(notice()).toEqual({ kind: 'warning', text: 'Oda bulunamadı!', endsAt: null })
    environment.transport.drop()
    await environment.advance(6_000)
    await client.answerHello()
    await client.answerJoin()
    expect(notice()).toBeNull()
  })

  it('[ROOM-07] uses only the newest of several joins', async () => {
    await client.openRoom()
    client.roomSubscription.openPage(createRoomPage({ roomId: 2, cursor: 300 }))
    const second = environment.transport.request('joinRoom').id
    client.roomSubscription.openPage(createRoomPage({ roomId: 1, cursor: 310 }))
    expect(client.live.roomId).toBeNull()
    environment.transport.receive([
      Kind.answer,
      second,
      { room: {}, cursor: 300, exempt: false, inRoomForMs: 0, missed: [] },
    ])
    await flushPromises()
    expect(client.live.roomId).toBeNull()
    await client.answerJoin({ cursor: 310, missed: [] })
    expect(client.live.roomId).toBe(1)
  })

  it('does not resume a room that it is leaving', async () => {
    await client.openRoom()
    client.roomSubscription.openPage(createRoomPage({ roomId: 2, cursor: 300 }))
    environment.transport.drop()
    await environment.advance(6_000)
    await client.answerHello()
    expect(environment.transport.request('hello').input).not.toHaveProperty('roomId')
    expect(joins()).toEqual([{ roomId: 2, cursor: 300 }])
  })

  it.each(['Busy', 'RateLimited', 'ShuttingDown'] as const)('retries after a refusal with %s', async (code) => {
    client.roomSubscription.openPage(createRoomPage())
    await client.answerHello()
    environment.transport.refuse('joinRoom', { code, message: '' })
    await environment.advance(2_000)
    expect(joins()).toHaveLength(2)
    environment.transport.refuse('joinRoom', { code, message: '', waitMs: 7_000 })
    await environment.advance(6_999)
    expect(joins()).toHaveLength(2)
    await environment.advance(1)
    expect(joins()).toHaveLength(3)
    expect(notice()).toBeNull()
  })

  it('does not retry for a room that was left meanwhile', async () => {
    client.roomSubscription.openPage(createRoomPage())
    await client.answerHello()
    environment.transport.refuse('joinRoom', { code: 'Busy', message: '' })
    await flushPromises()
    client.roomSubscription.openPage(createRoomPage({ roomId: 2 }))
    await environment.advance(2_000)
    expect(joins()).toEqual([
      { roomId: 1, cursor: 100 },
      { roomId: 2, cursor: 100 },
    ])
  })

  it('joins again when no answer comes on an open connection', async () => {
    client.roomSubscription.openPage(createRoomPage())
    await client.answerHello()
    await environment.advance(29_999)
    environment.transport.receive([Kind.ephemeral, 'cursor', { cursor: 100 }])
    await environment.advance(1)
    expect(joins()).toHaveLength(2)
  })

  it("joins when the user's other connection has closed", async () => {
    client.roomSubscription.openPage(createRoomPage())
    await client.answerHello()
    environment.transport.receive([Kind.ephemeral, 'duplicateConnection', { message: '' }])
    environment.transport.refuse('joinRoom', { code: 'Forbidden', message: 'Hayır.' })
    await flushPromises()
    environment.transport.receive([Kind.ephemeral, 'duplicateConnectionResolved', {}])
    expect(joins()).toHaveLength(2)
  })
})
