import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONNECT_TIMEOUT_MS } from '../../../shared/room-chat/limits.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { ADA, ADA_AS_ROOT_ADMIN } from '../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { bubblesOf } from '../../model/conversation/store/merge-messages.ts'
import { FakeRoomServer } from '../../model/room-chat/testing/fake-room-server.ts'
import { createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'

/** What may happen next: to the network, to the server, or by a person; the number says how often. */
const happenings = {
  say: 4,
  somebodySays: 4,
  somebodyAnswers: 2,
  block: 1,
  unblock: 2,
  accept: 6,
  carryOut: 12,
  answer: 10,
  answerTwice: 2,
  event: 6,
  eventTwice: 2,
  cut: 2,
  lose: 1,
  busy: 1,
  regionCut: 1,
  fail: 1,
  resync: 1,
  second: 4,
  pause: 4,
  halfMinute: 1,
  wake: 3,
  reload: 1,
}
type Happening = keyof typeof happenings

const names = Object.keys(happenings) as Happening[] // its own keys
const anyRun = fc.array(
  fc.oneof(...names.map((name) => ({ arbitrary: fc.constant(name), weight: happenings[name] }))),
  { maxLength: 150, size: 'max' },
)

/** The sender of messages that Ada's client does not send. */
const CAN = 2
const deniz = { senderId: 3, senderUsername: 'deniz' }

/** A room with a server, a network and Ada's browser, which may be reloaded. */
class World {
  environment = new FakeEnvironment()
  server = new FakeRoomServer(this.environment)
  client = this.open()
  /** A message failed at some time, so it may have gone out after later ones. */
  somethingFailed = false
  private said = 0
  private readonly ways: Record<Happening, () => unknown> = {
    say: () => this.client.conversation.send(`Söz ${++this.said}`),
    somebodySays: () => this.server.postMessage(),
    somebodyAnswers: () => this.server.postMessage({ ...deniz, ...this.answeringLast() }),
    block: () => this.server.setBlocked(CAN, true),
    unblock: () => this.server.setBlocked(CAN, false),
    accept: () => this.server.acceptConnection(),
    carryOut: () => this.server.executeNext(),
    answer: () => this.server.deliverAnswer(false),
    answerTwice: () => this.server.deliverAnswer(true),
    event: () => this.server.deliverEvent(false),
    eventTwice: () => this.server.deliverEvent(true),
    cut: () => this.server.disconnect(),
    lose: () => this.server.dropNextRequest(),
    busy: () => this.server.refusals.push({ code: 'Busy', message: 'Yoğun.' }),
    regionCut: () => this.server.refusals.push({ code: 'RegionCut', message: 'Bağlantı yok.' }),
    fail: () => this.server.refusals.push({ code: 'Failed', message: 'Olmadı.' }),
    resync: () => this.server.sendResync(),
    second: () => this.environment.advance(1_000),
    pause: () => this.environment.advance(6_000),
    halfMinute: () => this.environment.advance(30_000),
    wake: () => this.environment.emitWake(),
    reload: () => this.reload(),
  }

  async happen(what: Happening): Promise<void> {
    await this.ways[what]()
    await flushPromises()
    const bubbles = this.client.conversation.bubbles.value
    this.somethingFailed ||= bubbles.some(({ status }) => status === 'failed')
    const keys = bubbles.map(({ key }) => key)
    expect(keys).toEqual([...new Set(keys)])
  }

  private answeringLast(): Partial<Message> {
    const last = this.server.log.at(-1)?.message
    if (!last) return {}
    const { id, content, senderId, senderUsername } = last
    return { replyTo: { id, content, senderId, senderUsername } }
  }

  /** Heals the network and retries failures until the client is idle. */
  async comeToRest(): Promise<void> {
    this.server.refusals.length = 0
    for (let round = 0; round < 1000 && !this.isAtRest(); round++) {
      this.client.live.retryNow()
      const failed = this.client.conversation.bubbles.value.filter(({ status }) => status === 'failed')
      for (const { key } of failed) this.client.conversation.retry(key)
      for (const what of ['accept', 'carryOut', 'answer', 'event', 'second'] as const) await this.happen(what)
    }
  }

  private isAtRest(): boolean {
    const isAllSent = this.client.conversation.bubbles.value.every(({ status }) => status === 'sent')
    return isAllSent && this.client.live.roomId === 1 && this.server.isIdle()
  }

  get saidByAda(): string[] {
    return this.server.log.filter(({ message }) => message.senderId === ADA.id).map(({ message }) => message.content)
  }

  get wordsSaid(): string[] {
    return Array.from({ length: this.said }, (_, index) => `Söz ${index + 1}`)
  }

  private open(): RoomHarness {
    const client = new RoomHarness(this.environment)
    const { server } = this
    client.roomSubscription.openPage(
      createRoomPage({ messages: server.latestMessages(), cursor: server.cursor, viewer: ADA_AS_ROOT_ADMIN }),
    )
    return client
  }

  private reload(): void {
    this.server.disconnect()
    this.environment = new FakeEnvironment(this.environment)
    this.server.attachTo(this.environment)
    this.client = this.open()
  }
}

/** Longer than any pause before something is asked for again. */
const AGAIN_MS = 3_000

async function run(what: readonly Happening[]): Promise<World> {
  const world = new World()
  for (const happening of what) await world.happen(happening)
  await world.comeToRest()
  // Failed restores are requested again after a delay, and unanswered requests after their time-out.
  for (const ms of [AGAIN_MS, CONNECT_TIMEOUT_MS + AGAIN_MS]) {
    await world.environment.advance(ms)
    await world.comeToRest()
  }
  return world
}

function expectFreshPage({ client, server }: World): void {
  const shown = client.conversation.bubbles.value.map(({ key, id, content, createdAt, status, isOwn, replyTo }) => ({
    key,
    id,
    content,
    createdAt,
    status,
    isOwn,
    ...(replyTo && { replyTo }),
  }))
  const fresh = bubblesOf(server.latestMessages(), ADA.id).map(({ sender: _, ...bubble }) => bubble)
  expect(shown).toEqual(fresh)
}

describe('a room over an unreliable network', () => {
  it('[CHAT-01] [CHAT-16] [CHAT-17] [REL-18] converges to the list of a fresh page, with each message once', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async (what) => {
        const world = await run(what)
        expectFreshPage(world)
        expect(world.saidByAda.toSorted()).toEqual(world.wordsSaid.toSorted())
        if (!world.somethingFailed) expect(world.saidByAda).toEqual(world.wordsSaid)
      }),
      { numRuns: 250 },
    )
  }, 180_000)
})
