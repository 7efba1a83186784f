import { beforeEach, describe, expect, it } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import { RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import { FakeEnvironment, flushPromises } from '../platform/testing/fake-environment.ts'

let environment: FakeEnvironment
let client: RoomHarness

beforeEach(async () => {
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
  await client.openRoom()
})

const enqueue = (content: string, roomId = 1) =>
  client.outbox.enqueue('sendMessage', { roomId, content, clientId: environment.uuid() })
const contentsSent = () =>
  environment.transport.sent
    .filter((value) => value[2] === 'sendMessage')
    .map((value) => value[3] && Object(value[3]).content)
const waiting = () =>
  client.outbox.entries.value.map(({ input, failure }) => Object(input).content + (failure ? `: ${failure}` : ''))

async function answer(id: number): Promise<void> {
  environment.transport.answer('sendMessage', { success: true, id, createdAt: environment.now() })
  await flushPromises()
}

async function reconnect(answerToHello: object = { roomId: 1 }): Promise<void> {
  await environment.advance(6_000)
  await client.answerHello(answerToHello)
}

describe('sending', () => {
  it('sends entries in order, each after the answer to the previous one', async () => {
    for (const content of ['bir', 'iki', 'üç']) enqueue(content)
    expect(contentsSent()).toEqual(['bir'])
    await answer(1)
    expect(contentsSent()).toEqual(['bir', 'iki'])
    await answer(2)
    await answer(3)
    expect(contentsSent()).toEqual(['bir', 'iki', 'üç'])
    expect(waiting()).toEqual([])
  })

  it('[CHAT-17] stores entries while disconnected, and sends them in order after the reconnect', async () => {
    environment.transport.drop()
    for (const content of ['bir', 'iki']) enqueue(content)
    await reconnect()
    await answer(1)
    await answer(2)
    expect(contentsSent()).toEqual(['bir', 'iki'])
  })

  it('[LIVE-21] repeats an unanswered entry with the same clientId after a lost connection', async () => {
    enqueue('bir')
    const first = environment.transport.request('sendMessage').input
    environment.transport.drop()
    await reconnect()
    expect(environment.transport.request('sendMessage').input).toEqual(first)
    expect(contentsSent()).toHaveLength(1)
  })

  it('holds an entry until its room is joined, and sends the others', async () => {
    enqueue('başka odaya', 2)
    enqueue('buraya', 1)
    expect(contentsSent()).toEqual(['buraya'])
    client.live.roomId = 2
    client.outbox.flush()
    expect(contentsSent()).toEqual(['buraya', 'başka odaya'])
  })

  it('removes an entry whose event came before its answer', async () => {
    enqueue('bir')
    enqueue('iki')
    client.outbox.remove(environment.transport.request('sendMessage').input.clientId as string)
    expect(contentsSent()).toEqual(['bir', 'iki'])
    environment.transport.receive([2, 3, { success: true, id: 1, createdAt: 0 }])
    await flushPromises()
    expect(waiting()).toEqual(['iki'])
  })

  it('retries only failed entries, and enqueues no entry twice', () => {
    enqueue('bir')
    enqueue('iki')
    const [first] = client.outbox.entries.value
    client.outbox.retry(first?.clientId ?? '')
    environment.tabStorage.set('outbox', null)
    client.outbox.restoreFor(1)
    expect(waiting()).toEqual(['bir', 'iki'])
  })

  it('holds at most 100 entries and reports that it is full', () => {
    environment.transport.drop()
    for (let count = 0; count < 100; count++) expect(enqueue('x')).toBeNull()
    expect(enqueue('x')?.body.message).toContain('çok fazla mesaj')
    expect(waiting()).toHaveLength(100)
  })
})

describe('a refused entry', () => {
  it.each(['Busy', 'RegionCut', 'ShuttingDown', 'RateLimited', 'StorageFull'] as const)(
    '[REG-32] [FILE-34] is retried with a growing delay after %s',
    async (code) => {
      enqueue('bir')
      enqueue('iki')
      for (const pauseMs of [1_125, 2_250, 4_500]) {
        environment.transport.refuse('sendMessage', { code, message: 'Sonra.' })
        await environment.advance(pauseMs - 1)
        const before = contentsSent().length
        await environment.advance(1)
        expect(contentsSent()).toHaveLength(before + 1)
        environment.transport.receive([5, 'cursor', { cursor: 100 }])
      }
      expect(new Set(contentsSent())).toEqual(new Set(['bir']))
    },
  )

  it('[REG-32] of an isolated region is kept, also over a reload, and sent when the region recovers', async () => {
    enqueue('bir')
    enqueue('iki')
    const { clientId } = environment.transport.request('sendMessage').input
    environment.transport.refuse('sendMessage', refuse('RegionCut').body)
    await environment.advance(500)
    expect(waiting()).toEqual(['bir', 'iki'])
    environment = new FakeEnvironment(environment)
    client = new RoomHarness(environment)
    await client.openRoom()
    expect(environment.transport.request('sendMessage').input).toMatchObject({ content: 'bir', clientId })
    environment.transport.refuse('sendMessage', refuse('RegionCut').body)
    await environment.advance(1_125)
    await answer(1)
    await answer(2)
    expect([waiting(), contentsSent()]).toEqual([[], ['bir', 'bir', 'iki']])
  })

  it('[REG-24] is not one answered with `behind`', async () => {
    enqueue('bir')
    environment.transport.answer('sendMessage', { success: true, id: 1, createdAt: environment.now(), behind: true })
    await flushPromises()
    expect(waiting()).toEqual([])
    expect(client.shownTexts()).toEqual(['bir'])
  })

  it('is retried after 30 seconds and a jitter at most', async () => {
    enqueue('bir')
    for (let sent = 1; sent < 12; sent++) {
      environment.transport.refuse('sendMessage', { code: 'Busy', message: 'Sonra.' })
      const refusedAt = environment.now()
      while (environment.transport.count('sendMessage') === sent) await environment.advance(125)
      expect(environment.now() - refusedAt).toBeLessThanOrEqual(33_750)
    }
  })

  it('is retried after the time that the server demands', async () => {
    enqueue('bir')
    environment.transport.refuse('sendMessage', { code: 'RateLimited', message: 'Sonra.', waitMs: 20_000 })
    await environment.advance(20_000)
    expect(contentsSent()).toHaveLength(1)
    await environment.advance(5_000)
    expect(contentsSent()).toHaveLength(2)
  })

  it('fails with the text of a final refusal, and the next entry is sent', async () => {
    enqueue('bir')
    enqueue('iki')
    environment.transport.refuse('sendMessage', { code: 'Forbidden', message: 'Olmaz.' })
    await flushPromises()
    expect(waiting()).toEqual(['bir: Olmaz.', 'iki'])
    expect(contentsSent()).toEqual(['bir', 'iki'])
  })

  it('[CHAT-16] fails after 30 seconds without an answer, and can be retried with the same clientId', async () => {
    enqueue('bir')
    const { clientId } = environment.transport.request('sendMessage').input
    await environment.advance(29_999)
    expect(waiting()).toEqual(['bir'])
    environment.transport.receive([Kind.ephemeral, 'cursor', { cursor: 100 }])
    await environment.advance(1)
    expect(waiting()).toEqual(['bir: Mesaj gönderilemedi!'])
    client.outbox.retry(clientId as string)
    expect(environment.transport.request('sendMessage').input.clientId).toBe(clientId)
    await answer(1)
    expect(waiting()).toEqual([])
  })
})

describe('a ban', () => {
  it('[MOD-22] empties the outbox, so that nothing is sent after it', async () => {
    environment.transport.drop()
    enqueue('bir')
    enqueue('iki')
    client.outbox.clear()
    expect(waiting()).toEqual([])
    expect(environment.tabStorage.get('outbox')).toBeNull()
    await reconnect()
    expect(contentsSent()).toEqual([])
  })
})

describe('the stored outbox', () => {
  async function reload(userId = 1): Promise<void> {
    environment = new FakeEnvironment(environment)
    client = new RoomHarness(environment)
    client.outbox.restoreFor(userId)
  }

  it('[CHAT-17] keeps entries of a lost connection over a reload', async () => {
    environment.transport.drop()
    enqueue('bir')
    enqueue('iki')
    const { clientId } = client.outbox.entries.value[0] ?? {}
    await reload()
    expect(waiting()).toEqual(['bir', 'iki'])
    await client.openRoom()
    expect(environment.transport.request('sendMessage').input).toMatchObject({ content: 'bir', clientId })
    await answer(1)
    await answer(2)
    await reload()
    expect(waiting()).toEqual([])
  })

  it('keeps the reason of a failure', async () => {
    enqueue('bir')
    environment.transport.refuse('sendMessage', { code: 'Forbidden', message: 'Olmaz.' })
    await flushPromises()
    await reload()
    expect(waiting()).toEqual(['bir: Olmaz.'])
  })

  it("ignores another user's entries, and unreadable ones", async () => {
    environment.transport.drop()
    enqueue('bir')
    await reload(2)
    expect(waiting()).toEqual([])
    environment.tabStorage.set('outbox', '{"userId":')
    await reload()
    expect(waiting()).toEqual([])
  })
})
