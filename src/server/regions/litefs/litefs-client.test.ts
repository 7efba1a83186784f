import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeLiteFs, openFakeLiteFs } from '../../testing/fixtures/fake-litefs.ts'
import { connectLiteFs, type Leader, type LiteFsClient } from './litefs-client.ts'

const OWN = 'http://own:3000'
const IST = 'http://ist:3000'

let fake: FakeLiteFs
let litefs: LiteFsClient | null
let onDead: ReturnType<typeof vi.fn<() => void>>
beforeEach(async () => {
  fake = await openFakeLiteFs()
  litefs = null
  onDead = vi.fn<() => void>()
})
afterEach(async () => {
  litefs?.close()
  await fake.close()
})

async function connect(): Promise<LiteFsClient> {
  const { url, databaseFile } = fake
  litefs = await connectLiteFs({ url, databaseFile, ownUrl: OWN, log: pino({ enabled: false }), onDead })
  return litefs
}
/** Resolves with the next leader. */
const nextLeader = (from: LiteFsClient) => new Promise<Leader>((resolve) => from.onLeaderChange(resolve))
/** Resolves when something new is told. */
const nextTransaction = (from: LiteFsClient) => new Promise<void>((resolve) => from.onTransaction(resolve))

describe('LiteFS says who leads', () => {
  it.each([
    [{ isPrimary: true }, { is: 'self' }],
    [
      { isPrimary: false, hostname: `${IST}/` },
      { is: 'other', url: IST },
    ],
    [{ isPrimary: false }, { is: 'nobody' }],
    [{ isPrimary: false, hostname: OWN }, { is: 'nobody' }],
  ] as const)('[REG-02] at the start: %j', async (said, leader) => {
    await fake.close()
    fake = await openFakeLiteFs(said)
    expect((await connect()).leader()).toEqual(leader)
  })

  it('[REG-02] as it changes', async () => {
    const litefs = await connect()
    let next = nextLeader(litefs)
    fake.setLeader({ isPrimary: false, hostname: IST })
    expect(await next).toEqual({ is: 'other', url: IST })
    next = nextLeader(litefs)
    fake.setLeader({ isPrimary: true })
    expect(await next).toEqual({ is: 'self' })
  })

  it('[REG-02] after a break, when it changed meanwhile', async () => {
    const litefs = await connect()
    const next = nextLeader(litefs)
    await fake.refuseConnections()
    fake.setLeader({ isPrimary: false, hostname: IST })
    await fake.listen()
    expect(await next).toEqual({ is: 'other', url: IST })
    expect(onDead).not.toHaveBeenCalled()
  })

  it('makes this region the primary when it is asked to', async () => {
    fake.setLeader({ isPrimary: false, hostname: IST })
    const litefs = await connect()
    await litefs.promote()
    expect(litefs.leader()).toEqual({ is: 'self' })
    await litefs.promote()
  })

  it('says why it does not make this region the primary', async () => {
    const litefs = await connect()
    fake.setPromoteResponse(() => ({ status: 409, text: 'not eligible to become primary\n' }))
    await expect(litefs.promote()).rejects.toThrow(/409 not eligible to become primary$/)
  })
})

describe('LiteFS tells of transactions', () => {
  it('[REG-03] when one arrives, and of no other database', async () => {
    const litefs = await connect()
    const told = vi.fn<() => void>()
    litefs.onTransaction(told)
    fake.emitTransaction(1, 'other.db')
    const changed = nextLeader(litefs)
    fake.setLeader({ isPrimary: false, hostname: IST })
    await changed
    expect(told).not.toHaveBeenCalled()
    const next = nextTransaction(litefs)
    fake.emitTransaction(2)
    await next
    expect(told).toHaveBeenCalledOnce()
    expect(litefs.txid()).toBe('0000000000000002')
  })

  it('[REG-03] before it tells of a change of the leader that came after', async () => {
    const litefs = await connect()
    const order: string[] = []
    litefs.onTransaction(() => order.push('transaction'))
    litefs.onLeaderChange(({ is }) => order.push(is))
    const changed = nextLeader(litefs)
    fake.emitTransaction(7)
    fake.setLeader({ isPrimary: false, hostname: IST })
    await changed
    expect(order).toEqual(['transaction', 'other'])
  })

  it('[REG-03] after a break, because some may have been missed', async () => {
    const litefs = await connect()
    const next = nextTransaction(litefs)
    fake.breakStreams()
    await next
    expect(onDead).not.toHaveBeenCalled()
  })

  it.each([
    ['cannot be read', '{"type":\n'],
    ['is not as lines are', '{"type":"tx","db":7}\n'],
    ['never ends', 'x'.repeat(1 << 20)],
  ])('from a new stream, when a line of it %s', async (_, line) => {
    const litefs = await connect()
    const next = nextTransaction(litefs)
    fake.writeToStreams(line)
    await next
    await fake.waitForListeners(1)
    const again = nextTransaction(litefs)
    fake.emitTransaction(3)
    await again
  })

  it('passes by lines of a kind that nobody knows', async () => {
    const litefs = await connect()
    const next = nextTransaction(litefs)
    fake.writeToStreams('{"type":"moon","data":{"phase":3}}\n')
    fake.emitTransaction(3)
    await next
    await fake.waitForListeners(1)
  })
})

describe('the files of LiteFS', () => {
  it('say how far the database has come, and that there is none', async () => {
    const litefs = await connect()
    expect(litefs.txid()).toBe('')
    fake.writePositionFile(0)
    expect(litefs.txid()).toBe('')
    fake.writePositionFile(0xabc)
    expect(litefs.txid()).toBe('0000000000000abc')
  })

  it.each([
    ['+000000000\n', 0],
    ['+000000101\n', 101],
    ['+2147483647\n', null],
    ['', null],
  ])('say how far it is behind: %j', async (text, lagMs) => {
    const litefs = await connect()
    fake.writeLagFile(text)
    expect(litefs.lagMs()).toBe(lagMs)
  })
})

describe('LiteFS that dies', () => {
  it('[REG-04] is noticed at once when its stream ends', async () => {
    await connect()
    const dead = new Promise<void>((resolve) => onDead.mockImplementation(resolve))
    await fake.kill()
    await dead
    expect(onDead).toHaveBeenCalledOnce()
  })

  it('[REG-04] is noticed by whoever reads a file of it first', async () => {
    const litefs = await connect()
    const died = fake.kill()
    expect(litefs.txid()).toBe('')
    expect(onDead).toHaveBeenCalledOnce()
    await died
    expect(onDead).toHaveBeenCalledOnce()
  })

  it('[REG-04] is noticed when it has unmounted and nobody listens', async () => {
    await connect()
    const dead = new Promise<void>((resolve) => onDead.mockImplementation(resolve))
    fake.unmount()
    await fake.refuseConnections()
    await dead
  })

  it('[REG-04] before the start, is said', async () => {
    await fake.kill()
    await expect(connect()).rejects.toThrow('LiteFS is dead')
    expect(onDead).not.toHaveBeenCalled()
  })
})
