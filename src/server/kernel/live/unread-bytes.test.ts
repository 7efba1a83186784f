import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeTransport, type FakeTransport } from '../../testing/fixtures/fake-transport.ts'
import { Connection } from './connection.ts'
import { UnreadBytes } from './unread-bytes.ts'

let unread: UnreadBytes
beforeEach(() => {
  unread = new UnreadBytes(1_000)
})

/** A connection and its transport; `send` leaves that many bytes unsent and records them. */
function connect(address: string | null) {
  const transport: FakeTransport = createFakeTransport()
  const connection = new Connection(transport, 1, address)
  const send = (unsentBytes: number) => {
    transport.pendingBytes = unsentBytes
    return unread.record(connection, unsentBytes)
  }
  return { connection, transport, send }
}

describe('what the server holds for one address', () => {
  it('[LIVE-43] is bounded: the connection with the most unsent bytes is to be closed, whichever was sent to', () => {
    const worst = connect('192.0.2.1')
    const other = connect('192.0.2.1')
    expect(worst.send(600)).toBeNull()
    expect(other.send(400)).toBeNull()
    expect(other.send(401)).toBe(worst.connection)
    worst.connection.markClosed(4429)
    expect(other.send(1_000)).toBeNull()
  })

  it('[LIVE-43] counts what is still unsent, not what was', () => {
    const drained = connect('192.0.2.1')
    drained.send(900)
    drained.transport.pendingBytes = 0
    expect(connect('192.0.2.1').send(900)).toBeNull()
  })

  it('[LIVE-43] is not counted for other addresses, nor for those that share an unlisted proxy', () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8:0:1::1', null, null]) {
      expect(connect(address).send(900), String(address)).toBeNull()
    }
    expect(connect('2001:db8::2').send(900)).not.toBeNull()
  })
})
