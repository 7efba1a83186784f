import { expect } from 'vitest'
import { LiveClient } from '../../src/client/core/live/live-client.ts'
import { Outbox } from '../../src/client/core/live/outbox.ts'
import { flushPromises } from '../../src/client/core/platform/testing/fake-environment.ts'
import { DirectConversations } from '../../src/client/features/direct-messages/direct-conversations.ts'
import { ConversationList } from '../../src/client/features/direct-messages/list/conversation-list.ts'
import { FileOutbox } from '../../src/client/model/conversation/media/file-outbox.ts'
import { FakeFiles } from '../../src/client/model/conversation/media/testing/fake-files.ts'
import type { Bubble } from '../../src/client/model/conversation/store/message-types.ts'
import type { TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import { createPerson } from '../../src/shared/accounts/testing/person-fixture.ts'
import type { RouteAnswer } from '../../src/shared/protocol/catalogue.ts'
import { bindings, RegionEnvironment, type Site, UserSession } from './region-environment.ts'

/** A tab of the viewer, with the list and a window for each of the others. */
export class Tab {
  readonly environment: RegionEnvironment
  readonly live: LiveClient
  readonly conversations: DirectConversations
  readonly list: ConversationList
  private readonly outbox: Outbox
  private readonly others: readonly TestUser[]
  private pendingFetches = 0

  constructor({ region, app }: Site, viewer: TestUser, name: string, others: readonly TestUser[]) {
    const environment = new RegionEnvironment(region)
    this.environment = environment
    this.others = others
    this.live = new LiveClient(environment, new UserSession(viewer, name))
    this.outbox = new Outbox(environment, this.live)
    const platform = { environment, live: this.live, outbox: this.outbox }
    const person = createPerson(viewer.userId, viewer.username, { role: 'member', isGuest: false })
    this.conversations = new DirectConversations(
      platform,
      new FileOutbox(platform, new FakeFiles(environment, this.live).files),
      () => person,
    )
    this.list = new ConversationList(this.live, async (before) => {
      this.pendingFetches++
      const path = `/api/dm/userconversations${before === null ? '' : `?before=${before}`}`
      const answer = await app.request(path, { headers: { authorization: `Bearer ${viewer.token}` } }, bindings)
      this.pendingFetches--
      return answer.ok ? ((await answer.json()) as RouteAnswer<'conversations'>) : 'disconnected' // the route's schema
    })
  }

  async open(): Promise<void> {
    this.live.start(0, Date.now())
    await expect.poll(() => this.live.isConnected(), { interval: 1 }).toBe(true)
    await this.live.request('joinRoom', { roomId: 1 })
    for (const other of this.others) this.windowOf(other)
    await this.list.load(null)
    await this.rest()
  }

  windowOf({ userId, username }: TestUser) {
    return this.conversations.openWith(userId, username)
  }

  /** Everything that is under way ends. */
  async rest(): Promise<void> {
    this.environment.isHeld = false
    const isSending = () => this.outbox.entries.peek().some(({ failure }) => failure === null)
    for (let round = 0; round < 3 || this.pendingFetches > 0 || isSending(); round++) {
      await this.environment.deliver()
      // Answers follow events, so the others have been delivered before it.
      await this.live.request('getRooms', {})
      await flushPromises()
    }
  }

  close(): void {
    this.environment.disconnect()
  }

  /** All that its panels show. */
  view() {
    const windows = this.others.map((other) => {
      const { bubbles, recipient, permission, status, mediaHiding } = this.windowOf(other)
      return {
        // A refused message is kept by the tab that sent it.
        bubbles: bubbles.value.filter(({ status }) => status !== 'failed').map(toShown),
        recipient: recipient.value,
        permission: permission.value,
        status: status.value,
        hidesMedia: mediaHiding.isOn.value,
      }
    })
    return { list: this.list.list.value, windows }
  }
}

/** A bubble without what no bubble shows of its sender. */
function toShown({ sender: { id, username, gender, avatarUrl, isGuest, role }, ...bubble }: Bubble): Bubble {
  return { ...bubble, sender: { id, username, gender, avatarUrl, isGuest, role } }
}
