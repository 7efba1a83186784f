import { describe, expect, it } from 'vitest'
import { parseSendQueues, SendQueueLimit } from './send-queue-limit.ts'

type Peer = ReturnType<typeof openPeer>

function openPeer(remoteAddress: string, remotePort: number, bytes: number) {
  const socket = { remoteAddress, remotePort, once: () => {} }
  return { socket, queue: { address: remoteAddress, port: remotePort, bytes } }
}

/** The peers whose connections are to be reset, of those that are open and those that are closed. */
function limit({ open, closed = [] }: { open: Peer[]; closed?: Peer[] }) {
  const sendQueues = new SendQueueLimit(1_000)
  for (const { socket } of open) sendQueues.add(socket as unknown as Parameters<SendQueueLimit['add']>[0]) // its fields
  const excess: unknown[] = sendQueues.excessOf([...open, ...closed].map(({ queue }) => queue))
  return { excess: open.filter(({ socket }) => excess.includes(socket)), sendQueues }
}

describe('the send queues of one address', () => {
  it('[HTTP-32] are brought within the bound by a reset of the longest ones', () => {
    const [short, longest, long] = [
      openPeer('192.0.2.1', 1, 300),
      openPeer('192.0.2.1', 2, 900),
      openPeer('192.0.2.1', 3, 800),
    ] as const
    expect(limit({ open: [short, longest, long] }).excess).toEqual([longest, long])
    expect(limit({ open: [short] }).excess).toEqual([])
  })

  it('[HTTP-32] are not those of another address; a /64 network is one address', () => {
    const two = [openPeer('192.0.2.1', 1, 900), openPeer('192.0.2.2', 1, 900)]
    expect(limit({ open: two }).excess).toEqual([])
    const network = [openPeer('2001:db8::1', 1, 900), openPeer('2001:db8::2', 1, 800)]
    expect(limit({ open: network }).excess).toEqual([network[0]])
  })

  it('[HTTP-33] are full when closed connections alone exceed the bound', () => {
    const [reading, closed] = [openPeer('192.0.2.1', 1, 10), openPeer('192.0.2.1', 2, 1_001)]
    const { excess, sendQueues } = limit({ open: [reading], closed: [closed] })
    expect(excess).toEqual([reading])
    expect([sendQueues.isFull('192.0.2.1'), sendQueues.isFull('192.0.2.2')]).toEqual([true, false])
    sendQueues.excessOf([])
    expect(sendQueues.isFull('192.0.2.1')).toBe(false)
  })
})

it('[HTTP-32] the tables of Linux are read: the queues of one port that hold something', () => {
  const row = (local: string, remote: string, bytes: string) =>
    `   1: ${local} ${remote} 01 ${bytes}:00000000 00:00000000\n`
  const mapped = '0000000000000000FFFF0000'
  const table = [
    row('0100007F:1F90', '07714ACB:C001', '0040F000'),
    row('0100007F:1F90', '07714ACB:C002', '00000000'),
    row('0100007F:1F91', '07714ACB:C003', '0040F000'),
    row(`${mapped}0100007F:1F90`, `${mapped}07714ACB:C004`, '00000010'),
    row(`${mapped}0100007F:1F90`, 'B80D0120000000000000000001000000:C005', '00000011'),
  ]
  expect(parseSendQueues(table.join(''), 8080)).toEqual([
    { address: '203.74.113.7', port: 0xc001, bytes: 0x40f000 },
    { address: '::ffff:203.74.113.7', port: 0xc004, bytes: 16 },
    { address: '2001:db8::1', port: 0xc005, bytes: 17 },
  ])
})
