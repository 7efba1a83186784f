import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { messageQuote } from '../../../shared/room-chat/quotes.ts'
import { unavailableQuote } from '../../../shared/room-chat/redacted-quotes.ts'
import { ADA } from '../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { bubblesOf } from '../conversation/store/merge-messages.ts'
import { watchRoomRemovals } from './message-removal.ts'
import { createMessage, createRoomPage, RoomHarness } from './testing/room-harness.ts'

const COUNT = 8

/** A room whose messages each quote the one before, with a client. */
class Room {
  readonly environment = new FakeEnvironment()
  readonly client = new RoomHarness(this.environment)
  private readonly removed = new Set<number>()
  private seq = 100

  async open(): Promise<void> {
    const { live, conversations } = this.client
    watchRoomRemovals({ live, conversations, viewerId: () => ADA.id })
    await this.client.openRoom(createRoomPage({ messages: this.messages() }))
  }

  /** What a fresh fetch answers. */
  messages(): Message[] {
    return Array.from({ length: COUNT }, (_, index) => this.messageOf(index + 1))
  }

  async setRemoved(id: number, isRemoved: boolean): Promise<void> {
    if (this.removed.has(id) === isRemoved) return
    if (isRemoved) this.removed.add(id)
    else this.removed.delete(id)
    const payload = isRemoved ? { roomId: 1, id } : this.messageOf(id)
    const name = isRemoved ? 'messageRemoved' : 'messageRestored'
    this.environment.transport.receive([Kind.event, ++this.seq, name, payload])
    await flushPromises()
  }

  private messageOf(id: number): Message {
    if (this.removed.has(id)) return { ...createMessage(id), content: '', isRemoved: true }
    return { ...createMessage(id), ...(id > 1 && { replyTo: this.quoteOf(id - 1) }) }
  }

  private quoteOf(id: number) {
    if (this.removed.has(id)) return unavailableQuote(id)
    const { content, senderId, senderUsername } = createMessage(id)
    return { id, content: messageQuote(content, null), senderId, senderUsername }
  }
}

it('[SANCTION-11] [SANCTION-13] keeps an open thread equal to a fresh fetch', async () => {
  const step = fc.record({ id: fc.integer({ min: 1, max: COUNT }), isRemoved: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const room = new Room()
      await room.open()
      for (const { id, isRemoved } of steps) await room.setRemoved(id, isRemoved)
      expect(room.client.conversation.bubbles.value).toEqual(bubblesOf(room.messages(), ADA.id))
    }),
    { numRuns: 60 },
  )
})

it('[SANCTION-11] cancels a reply to the removed message, and no other', async () => {
  const room = new Room()
  await room.open()
  const { conversation } = room.client
  const target = conversation.bubbles.value.find(({ id }) => id === 3) ?? null
  conversation.replyingTo.value = target
  await room.setRemoved(2, true)
  expect(conversation.replyingTo.value).toBe(target)
  await room.setRemoved(3, true)
  expect(conversation.replyingTo.value).toBeNull()
})

it('[SANCTION-11] leaves other rooms as they are', async () => {
  const room = new Room()
  await room.open()
  const before = room.client.conversation.bubbles.value
  room.environment.transport.receive([Kind.event, 101, 'messageRemoved', { roomId: 2, id: 3 }])
  await flushPromises()
  expect(room.client.conversation.bubbles.value).toEqual(before)
})
