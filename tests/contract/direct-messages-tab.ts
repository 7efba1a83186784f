import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'vitest'
import type { Bubble } from '../../src/client/conversation/store/bubble.ts'
import { ConversationList } from '../../src/client/direct-messages/conversation-list.ts'
import { DirectConversations } from '../../src/client/direct-messages/direct-conversations.ts'
import type { SocketTransport, SocketTransportListener } from '../../src/client/live/environment.ts'
import { LiveClient } from '../../src/client/live/live-client.ts'
import { Outbox } from '../../src/client/live/outbox.ts'
import { FakeEnvironment, flushPromises } from '../../src/client/live/testing/fake-environment.ts'
import { FakeSession } from '../../src/client/live/testing/fake-session.ts'
import { FakeFiles } from '../../src/client/media/testing/fake-files.ts'
import type { NodeApp } from '../../src/server/http/route.ts'
import { receiveFrame } from '../../src/server/live/dispatch.ts'
import type { TestRegion, TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import { createPerson } from '../../src/shared/accounts/testing/person-fixture.ts'
import type { RouteAnswer } from '../../src/shared/protocol/catalogue.ts'

/** A region and its HTTP routes. */
export interface Site {
  region: TestRegion
  app: NodeApp
}

const bindings = { incoming: new IncomingMessage(new Socket()) }

/** A browser whose WebSocket leads to the region; what the server sends waits while `isHeld`. */
class RegionEnvironment extends FakeEnvironment {
  isHeld = false
  disconnect = (): void => {}
  private readonly region: TestRegion
  private readonly frames: (() => void)[] = []

  constructor(region: TestRegion) {
    super()
    this.region = region
  }

  override openTransport = (listener: SocketTransportListener): SocketTransport => {
    let isOpen = true
    const { region } = this
    const connection = region.connections.openConnection({
      send: (chain) => {
        const bytes = Uint8Array.from(chain.payload())
        this.frames.push(() => isOpen && listener.onBytes(bytes))
        if (!this.isHeld) queueMicrotask(() => void this.deliver())
      },
      bufferedBytes: () => 0,
      ping: () => {},
      close: (code) => listener.onClose(code),
    })
    queueMicrotask(() => listener.onOpen())
    this.disconnect = () => {
      isOpen = false
      region.connections.removeConnection(connection)
    }
    return { send: (bytes) => receiveFrame(region.appContext, connection, bytes), close: this.disconnect }
  }

  /** Delivers what waits, as a slow network does at last. */
  async deliver(): Promise<void> {
    for (let frame = this.frames.shift(); frame; frame = this.frames.shift()) {
      frame()
      await flushPromises()
    }
  }
}

class UserSession extends FakeSession {
  private readonly user: TestUser
  private readonly tab: string
  constructor(user: TestUser, tab: string) {
    super()
    this.user = user
    this.tab = tab
  }
  override token = () => this.user.token
  override tabId = () => this.tab
  override isSelf = (userId: number) => userId === this.user.userId
}

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
    this.conversations = new DirectConversations(platform, new FakeFiles(environment, this.live).files, () => person)
    this.list = new ConversationList(this.live, async (before) => {
      this.pendingFetches++
      const path = `/api/dm/userconversations${before === null ? '' : `?before=${before}`}`
      const answer = await app.request(path, { headers: { authorization: `Bearer ${viewer.token}` } }, bindings)
      this.pendingFetches--
      return answer.ok ? ((await answer.json()) as RouteAnswer<'conversations'>) : null // the route's schema
    })
  }

  async open(): Promise<void> {
    this.live.start(0, Date.now())
    await expect.poll(() => this.live.isConnected(), { interval: 1 }).toBe(true)
    await this.live.request('joinRoom', { roomId: 1 })
    for (const other of this.others) this.windowOf(other)
    await this.list.loadOnce()
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
