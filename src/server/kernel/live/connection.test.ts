import { describe, expect, it, vi } from 'vitest'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { type ClientValue, CloseCode, Kind } from '../../../shared/protocol/frame.ts'
import { createFakeTransport } from '../../testing/fixtures/fake-transport.ts'
import { openTestConnection } from '../../testing/fixtures/test-connection.ts'
import { Connection, type Identity, isOpen } from './connection.ts'
import { NO_BLOCKS } from './visibility.ts'

const identity: Identity = {
  viewer: { userId: 1, sessionId: 1, role: 'guest', blockedIds: NO_BLOCKS },
  person: createPerson(1),
  browserId: 'b',
  tabId: null,
}
const request: ClientValue = [Kind.request, 1, 'getRooms', {}]
const connect = () => new Connection(createFakeTransport(), 1)

describe('a connection', () => {
  it('[LIVE-11] has no identity before hello, and opens only after a handshake', () => {
    const connection = connect()
    expect(connection.state).toEqual({ name: 'awaitingHello' })
    expect(() => connection.open(identity, 5)).toThrow('awaitingHello')
    connection.beginHandshake()
    expect(() => connection.beginHandshake()).toThrow('handshaking')
    expect(connection.identity).toBeNull()
    connection.open(identity, 5)
    expect(connection.state).toMatchObject({ name: 'open', identity, helloAt: 5, roomId: null })
    expect(() => connection.open(identity, 6)).toThrow('open')
  })

  it('[LIVE-11] releases the queued values once hello is accepted or refused', () => {
    for (const isAccepted of [true, false]) {
      const connection = connect()
      connection.beginHandshake()
      if (connection.state.name === 'handshaking') connection.state.queue.push(request)
      if (isAccepted) connection.open(identity, 5)
      expect(connection.endHandshake()).toEqual([request])
      expect(connection.endHandshake()).toEqual([])
      expect(connection.state.name).toBe(isAccepted ? 'open' : 'awaitingHello')
    }
  })

  it('keeps its first close code and its identity', () => {
    const connection = openTestConnection(createFakeTransport(), { person: createPerson(7) })
    connection.markClosed(CloseCode.banned)
    expect(connection.markClosed(null).code).toBe(CloseCode.banned)
    expect(isOpen(connection)).toBe(false)
    expect(connection.identity?.viewer.userId).toBe(7)
    expect(() => connection.beginHandshake()).toThrow('closed')
  })

  it('[LIVE-20] counts unanswered pings, and calls a probe back once at the next pong', () => {
    const connection = connect()
    const onPong = vi.fn()
    connection.probe(onPong)
    connection.ping()
    connection.ping()
    expect(connection.unansweredPings).toBe(2)
    connection.pong()
    connection.pong()
    expect(connection.unansweredPings).toBe(0)
    expect(onPong).toHaveBeenCalledTimes(1)
  })
})
