import type { RoomId } from '../../../shared/protocol/ids.ts'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import { MESSAGE_FAILED } from '../../../shared/room-chat/rules.ts'
import type { RoomPageProps } from '../../../shared/rooms/page-props.ts'
import type { ConversationPlatform } from '../conversation/conversation.ts'
import { ConversationRegistry } from '../conversation/conversation-registry.ts'
import type { RoomSubscription } from '../rooms/room-subscription.ts'
import { type LoadFiles, RoomConversation } from './room-conversation.ts'
import type { SendLimits } from './send-limits.ts'

type CreateLimits = (platform: ConversationPlatform, conversation: RoomConversation) => SendLimits

/** The conversations of rooms: opens that of the shown page, and sends the outbox entries for rooms. */
export class RoomConversations extends ConversationRegistry<RoomId, RoomConversation> {
  /** The room whose page is shown; null before the first one. */
  current: RoomConversation | null = null
  private readonly platform: ConversationPlatform
  private readonly roomSubscription: RoomSubscription
  private createLimits: CreateLimits | null = null
  /** On this connection, a refusal has made the tab enter its room again. */
  private hasRejoined = false

  constructor(platform: ConversationPlatform, roomSubscription: RoomSubscription, loadFiles: LoadFiles) {
    super((roomId) => new RoomConversation(platform, roomId, loadFiles))
    this.platform = platform
    this.roomSubscription = roomSubscription
    const { live, outbox } = platform
    live.onConnected(() => {
      this.hasRejoined = false
    })
    roomSubscription.addListener({
      onPageOpened: (page) => this.openPage(page),
      onResync: () => this.current?.store.resetSeqs(),
      onJoined: (joined) => this.current?.onJoined(joined),
      onJoinRefused: ({ message }) => this.current?.onJoinRefused(message),
    })
    outbox.register('sendMessage', {
      lane: ({ roomId }) => `room:${roomId}`,
      canSend: ({ roomId }) => live.roomId === roomId,
      request: (entry) => ('mediaId' in entry.input ? loadFiles().then((files) => files.send(entry)) : undefined),
      onAnswered: ({ input, clientId }, { id, createdAt }) => {
        if (id !== undefined && createdAt !== undefined)
          this.findShown(input.roomId)?.onAnswered(clientId, id, createdAt)
      },
      retryDelayMs: ({ input }, refusal) => this.retryDelayMs(input.roomId, refusal),
      onDelayed: ({ clientId, input }, refusal) => this.findShown(input.roomId)?.onDelayed(clientId, refusal),
      timeoutMessage: MESSAGE_FAILED,
    })
  }

  /** Predicts the chat limits from now on. */
  predictLimits(create: CreateLimits): void {
    this.createLimits = create
    this.addLimits()
  }

  private addLimits(): void {
    const { current, createLimits } = this
    if (current && createLimits) current.limits.value ??= createLimits(this.platform, current)
  }

  private openPage(page: RoomPageProps): void {
    if (this.current && this.current.roomId !== page.room.id) this.close(this.current.roomId)
    this.current = this.get(page.room.id)
    this.current.openPage(page)
    this.addLimits()
  }

  private findShown(roomId: RoomId): RoomConversation | null {
    return this.current?.roomId === roomId ? this.current : null
  }

  private retryDelayMs(roomId: RoomId, refusal: RefusalBody): number | null {
    const conversation = this.findShown(roomId)
    // It waits until the viewer returns to its room.
    if (!conversation) return 0
    const delayMs = conversation.retryDelayMs(refusal)
    if (refusal.code !== 'NotInRoom' || this.hasRejoined) return delayMs
    this.hasRejoined = true
    this.roomSubscription.rejoin()
    return 0
  }
}
