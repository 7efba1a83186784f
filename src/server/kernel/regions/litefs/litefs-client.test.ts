import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeLiteFs, openFakeLiteFs } from '../../../testing/fixtures/fake-litefs.ts'
import type { Leader } from '../../database/leader.ts'
import { connectLiteFs, type LiteFsClient } from './litefs-client.ts'

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
/** Resolves at the next transaction. */
const nextTransaction = (from: LiteFsClient) => new Promise<void>((resolve) => from.onTransaction(resolve))

describe('the leader of the LiteFS client', () => {
  it.each([
    [{ isPrimary: true }, { is: 'self' }],
    [
      { isPrimary: false, hostname: `${IST}/` },
      { is: 'other', url: IST },
    ],
    [{ isPrimary: false }, { is: 'nobody' }],
    [{ isPrimary: false, hostname: OWN }, { is: 'nobody' }],
  ] as const)('[REG-02] is known at the start: %j', async (reported, leader) => {
    await fake.close()
    fake = await openFakeLiteFs(reported)
    expect((await connect()).leader()).toEqual(leader)
  })

  it('[REG-02] follows each change', async () => {
    const litefs = await connect()
    let next = nextLeader(litefs)
    fake.setLeader({ isPrimary: false, hostname: IST })
    expect(await next).toEqual({ is: 'other', url: IST })
    next = nextLeader(litefs)
    fake.setLeader({ isPrimary: true })
    expect(await next).toEqual({ is: 'self' })
  })

  it('[REG-02] is updated after the stream broke', async () => {
    const litefs = await connect()
    const next = nextLeader(litefs)
    await fake.refuseConnections()
    fake.setLeader({ isPrimary: false, hostname: IST })
    await fake.listen()
    expect(await next).toEqual({ is: 'other', url: IST })
    expect(onDead).not.toHaveBeenCalled()
  })

  it('is this region after a promotion', async () => {
    fake.setLeader({ isPrimary: false, hostname: IST })
    const litefs = await connect()
    await litefs.promote()
    expect(litefs.leader()).toEqual({ is: 'self' })
    await litefs.promote()
  })

  it('stays when LiteFS refuses the promotion, whose reason is reported', async () => {
    const litefs = await connect()
    fake.setPromoteResponse(() => ({ status: 409, text: 'not eligible to become primary\n' }))
    await expect(litefs.promote()).rejects.toThrow(/409 not eligible to become primary$/)
  })
})

describe('the transactions of the LiteFS client', () => {
  it('[REG-03] are announced for its own database only', async () => {
    const litefs = await connect()
    const onTransaction = vi.fn<() => void>()
    litefs.onTransaction(onTransaction)
    fake.emitTransaction(1, 'other.db')
    const changed = nextLeader(litefs)
    fake.setLeader({ isPrimary: false, hostname: IST })
    await changed
    expect(onTransaction).not.toHaveBeenCalled()
    const next = nextTransaction(litefs)
    fake.emitTransaction(2)
    await next
    expect(onTransaction).toHaveBeenCalledOnce()
    expect(litefs.txid()).toBe('0000000000000002')
  })

  it('[REG-03] are announced before a later change of the leader', async () => {
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

  it('[REG-03] are announced after the stream broke, because some may have been missed', async () => {
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

  it('are announced among events of unknown types', async () => {
    const litefs = await connect()
    const next = nextTransaction(litefs)
    fake.writeToStreams('{"type":"moon","data":{"phase":3}}\n')
    fake.emitTransaction(3)
    await next
    await fake.waitForListeners(1)
  })
})

describe('the mount of the LiteFS client', () => {
  it('gives the position of the database, or none without a database', async () => {
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

describe('a dead LiteFS', () => {
  it('[REG-04] is detected at once when its stream ends', async () => {
    await connect()
    const dead = new Promise<void>((resolve) => onDead.mockImplementation(resolve))
    await fake.kill()
    await dead
    expect(onDead).toHaveBeenCalledOnce()
  })

  it('[REG-04] is detected by the first read of the mount', async () => {
    const litefs = await connect()
    const died = fake.kill()
    expect(litefs.txid()).toBe('')
    expect(onDead).toHaveBeenCalledOnce()
    await died
    expect(onDead).toHaveBeenCalledOnce()
  })

  it('[REG-04] is detected when it is unmounted and refuses connections', async () => {
    await connect()
    const dead = new Promise<void>((resolve) => onDead.mockImplementation(resolve))
    fake.unmount()
    await fake.refuseConnections()
    await dead
  })

  it('[REG-04] rejects the start', async () => {
    await fake.kill()
    await expect(connect()).rejects.toThrow('LiteFS is dead')
    expect(onDead).not.toHaveBeenCalled()
  })
})
