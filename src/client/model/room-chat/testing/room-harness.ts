import { createPerson } from '../../../../shared/accounts/testing/person-fixture.ts'
import type { Message } from '../../../../shared/room-chat/message.ts'
import type { RoomPageProps } from '../../../../shared/rooms/page-props.ts'
import { type HistoryLoader, historyLoaderOf } from '../../conversation/store/history-loader.ts'
import '../../conversation/store/quote-of-message.ts'
import { LiveClient } from '../../../core/live/live-client.ts'
import { Outbox } from '../../../core/live/outbox.ts'
import { FakeSession } from '../../../core/live/testing/fake-session.ts'
import { ADA } from '../../../core/live/testing/fixture-users.ts'
import { type FakeEnvironment, flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import { FileOutbox } from '../../conversation/media/file-outbox.ts'
import { FakeFiles } from '../../conversation/media/testing/fake-files.ts'
import { OnlineCounts } from '../../rooms/online-counts.ts'
import { RoomSubscription } from '../../rooms/room-subscription.ts'
import { RoomUsers } from '../../rooms/room-users.ts'
import type { RoomConversation } from '../room-conversation.ts'
import { RoomConversations } from '../room-conversations.ts'
import { RoomFiles } from '../room-files.ts'
import { SendLimits } from '../send-limits.ts'

/** The live parts of a room's page, connected as the state modules do it. */
export class RoomHarness {
  readonly environment: FakeEnvironment
  readonly session = new FakeSession()
  readonly live: LiveClient
  readonly outbox: Outbox
  readonly roomSubscription: RoomSubscription
  readonly roomUsers: RoomUsers
  readonly onlineCounts: OnlineCounts
  readonly conversations: RoomConversations
  /** The unsent files of rooms. */
  readonly device: FakeFiles
  private stopRestoring = () => {}

  /** @param before the files of the page before a reload */
  constructor(environment: FakeEnvironment, before?: FakeFiles) {
    this.environment = environment
    this.live = new LiveClient(environment, this.session)
    this.outbox = new Outbox(environment, this.live)
    this.roomSubscription = new RoomSubscription(environment, this.live)
    this.roomUsers = new RoomUsers(this.live, this.roomSubscription)
    this.onlineCounts = new OnlineCounts(environment, this.live, this.roomSubscription)
    const platform = { environment, live: this.live, outbox: this.outbox }
    this.device = new FakeFiles(environment, this.live, before)
    const files = new RoomFiles(new FileOutbox(platform, this.device.files), this.outbox)
    this.conversations = new RoomConversations(platform, this.roomSubscription, async () => files)
    this.conversations.predictLimits((...parts) => new SendLimits(...parts))
    this.roomSubscription.addListener({ onPageOpened: () => this.restoreUnhidden() })
  }

  /** The conversation of the shown room; of room 1 before the first page. */
  get conversation(): RoomConversation {
    return this.conversations.current ?? this.conversations.get(1)
  }

  get historyLoader(): HistoryLoader {
    return historyLoaderOf(this.conversation)
  }

  /** As the thread does. */
  private restoreUnhidden(): void {
    const { historyLoader } = this
    this.stopRestoring()
    this.stopRestoring = this.conversation.addListener({ onUnhidden: () => void historyLoader.restoreUnblocked() })
  }

  /** Answers hello on the latest transport. */
  async answerHello({
    resumed = true,
    cursor = 100,
    roomId,
  }: {
    resumed?: boolean
    cursor?: number
    roomId?: number
  } = {}) {
    const { transport } = this.environment
    transport.accept()
    const serverTime = this.environment.now()
    transport.answer('hello', { user: ADA, cursor, resumed, serverTime, ...(roomId && { roomId }) })
    await flushPromises()
  }

  /** Answers joinRoom; by default the user has been in the room long enough to write. */
  async answerJoin(answer: object = {}): Promise<void> {
    const room = createRoomPage().room
    this.environment.transport.answer('joinRoom', { room, cursor: 100, exempt: false, inRoomForMs: 60_000, ...answer })
    await flushPromises()
  }

  /** Shows a room's page and answers the join. */
  async openRoom(page: RoomPageProps = createRoomPage()): Promise<void> {
    this.roomSubscription.openPage(page)
    await this.answerHello()
    await this.answerJoin({ missed: [] })
  }

  /** The texts of the bubbles, with a mark for unsent ones. */
  shownTexts(): string[] {
    const marks = { sent: '', read: '✓', pending: '…', failed: '!' }
    return this.conversation.bubbles.value.map(({ content, status }) => content + marks[status])
  }
}

/** A room's page as the server would render it for Ada. */
export function createRoomPage({
  roomId = 1,
  ...page
}: Partial<RoomPageProps> & { roomId?: number } = {}): RoomPageProps {
  return {
    room: {
      id: roomId,
      name: `Oda ${roomId}`,
      greetingMessage: null,
      capacity: 100,
      isList: true,
      isActive: true,
      ownerId: null,
      createdAt: 0,
      updatedAt: 0,
      expiryDate: null,
      messagePreference: 'everyone',
      mediaPreference: 'everyone',
      slowModeSeconds: 0,
      backgroundImage: null,
      smallBackgroundImage: null,
      backgroundImageHash: null,
      hasPassword: false,
      activeUsers: 1,
    },
    messages: [],
    users: [ADA],
    total: 1,
    onlineCount: 1,
    rooms: [],
    roomCount: page.rooms?.length ?? 0,
    cursor: 100,
    serverTime: Date.parse('2026-01-01T12:00:00Z'),
    viewer: ADA,
    ...page,
  }
}

const CAN = createPerson(2, 'can')

/** A message of another user by default; each id is one second later than the previous one. */
export function createMessage(id: number, message: Partial<Message> = {}): Message {
  return {
    id,
    roomId: 1,
    content: `Mesaj ${id}`,
    createdAt: Date.parse('2026-01-01T11:00:00Z') + id * 1000,
    senderId: CAN.id,
    senderUsername: CAN.username,
    senderGender: null,
    senderAvatarUrl: null,
    senderIsGuest: true,
    senderRole: 'guest',
    clientId: `10000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    ...message,
  }
}
