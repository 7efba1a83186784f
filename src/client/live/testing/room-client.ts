import { person } from '../../../shared/accounts/testing/person.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import type { RoomPageProps } from '../../../shared/rooms/page.ts'
import { followBlocks } from '../../relations/follow-blocks.ts'
import { History } from '../../room-chat/history.ts'
import { Thread } from '../../room-chat/thread.ts'
import { Counts } from '../../rooms/counts.ts'
import { People } from '../../rooms/people.ts'
import { RoomLine } from '../../rooms/room-line.ts'
import { Live } from '../live.ts'
import { Outbox } from '../outbox.ts'
import { type FakeEnvironment, settled } from './fake-environment.ts'
import { FakeSession } from './fake-session.ts'
import { ada } from './people.ts'

/** All that a page with a room keeps of its live side, as the state modules put it together. */
export class RoomClient {
  readonly environment: FakeEnvironment
  readonly session = new FakeSession()
  readonly live: Live
  readonly outbox: Outbox
  readonly roomLine: RoomLine
  readonly people: People
  readonly counts: Counts
  readonly thread: Thread
  readonly history: History

  constructor(environment: FakeEnvironment) {
    this.environment = environment
    this.live = new Live(environment, this.session)
    this.outbox = new Outbox(environment, this.live)
    this.roomLine = new RoomLine(environment, this.live)
    this.people = new People(this.live, this.roomLine)
    this.counts = new Counts(this.live, this.roomLine)
    this.thread = new Thread(environment, this.live, this.outbox, this.roomLine)
    this.history = new History(environment, this.live, this.thread.messages)
    followBlocks(this.live, { unblocked: () => void this.history.restore() })
  }

  /** Answers hello on the wire that was opened last. */
  async greet({ resumed = true, cursor = 100, roomId }: { resumed?: boolean; cursor?: number; roomId?: number } = {}) {
    const { wire } = this.environment
    wire.accept()
    const serverTime = this.environment.now()
    wire.answer('hello', { user: ada, cursor, resumed, serverTime, ...(roomId && { roomId }) })
    await settled()
  }

  /** Answers joinRoom: in the room for long enough to speak, unless it says otherwise. */
  async letIn(answer: object = {}): Promise<void> {
    const room = pageOf().room
    this.environment.wire.answer('joinRoom', { room, cursor: 100, exempt: false, inRoomForMs: 60_000, ...answer })
    await settled()
  }

  /** Shows a room's page and is let in. */
  async enter(page: RoomPageProps = pageOf()): Promise<void> {
    this.roomLine.enter(page)
    await this.greet()
    await this.letIn({ missed: [] })
  }

  /** What the bubbles say, with a mark for what is not sent. */
  shown(): string[] {
    const marks = { sent: '', pending: '…', failed: '!' }
    return this.thread.bubbles.value.map(({ content, status }) => content + marks[status])
  }
}

/** A room's page as the server would render it for Ada. */
export function pageOf({ roomId = 1, ...page }: Partial<RoomPageProps> & { roomId?: number } = {}): RoomPageProps {
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
      activeUsers: 1,
    },
    messages: [],
    users: [ada],
    total: 1,
    onlineCount: 1,
    rooms: [],
    cursor: 100,
    serverTime: Date.parse('2026-01-01T12:00:00Z'),
    viewer: ada,
    ...page,
  }
}

const can = person(2, 'can')

/** A message of somebody else's, unless it says otherwise; of a later id, a second later. */
export function messageOf(id: number, message: Partial<Message> = {}): Message {
  return {
    id,
    roomId: 1,
    content: `Mesaj ${id}`,
    createdAt: Date.parse('2026-01-01T11:00:00Z') + id * 1000,
    senderId: can.id,
    senderUsername: can.username,
    senderGender: null,
    senderAvatarUrl: null,
    senderIsGuest: true,
    senderRole: 'guest',
    clientId: `10000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    ...message,
  }
}
