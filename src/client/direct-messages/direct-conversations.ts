import type { UserId } from '../../shared/protocol/ids.ts'
import { MESSAGE_FAILED } from '../../shared/room-chat/rules.ts'
import type { ConversationPlatform } from '../conversation/conversation.ts'
import { ConversationRegistry } from '../conversation/conversation-registry.ts'
import type { BubbleSender } from '../conversation/store/bubble.ts'
import { DirectConversation } from './direct-conversation.ts'

/** The conversations of open windows; sends the outbox entries of all conversations. */
export class DirectConversations extends ConversationRegistry<UserId, DirectConversation> {
  private readonly usernames = new Map<UserId, string>()

  /** @param viewer the signed-in user; null when the page has none */
  constructor(platform: ConversationPlatform, viewer: () => BubbleSender | null) {
    super((userId) => new DirectConversation(platform, userId, this.usernames.get(userId) ?? ''))
    const { live, outbox } = platform
    live.onConnected((resumed) => this.open.forEach((conversation) => void conversation.onConnected(resumed)))
    live.on('dmSessionStarted', (started) => {
      const user = viewer()
      if (user) this.open.get(started.recipientInfo.id)?.onStarted(started, user)
    })
    const refresh = (...ids: UserId[]): void => ids.forEach((id) => void this.open.get(id)?.start())
    live.on('userFollowed', ({ followerId, followingId }) => refresh(followerId, followingId))
    live.on('userUnfollowed', ({ followerId, followingId }) => refresh(followerId, followingId))
    outbox.register('sendDirectMessage', {
      lane: ({ recipientId }) => `dm:${recipientId}`,
      canSend: () => true,
      onAnswered: ({ input, clientId }, { message }) => {
        if (message) this.find(input.recipientId)?.onAnswered(clientId, message.id, message.createdAt)
      },
      retryDelayMs: ({ input }, { code }) => {
        // A setting, a follow or a block has changed: the composer explains it.
        if (code === 'ContactRefused') void this.find(input.recipientId)?.start()
        return null
      },
      onDelayed: ({ input, clientId }, refusal) => this.find(input.recipientId)?.onDelayed(clientId, refusal),
      timeoutMessage: MESSAGE_FAILED,
    })
    outbox.flush()
  }

  /** The conversation with a user, opened at the first call. */
  openWith(userId: UserId, username: string): DirectConversation {
    this.usernames.set(userId, username)
    const isNew = !this.open.has(userId)
    const conversation = this.get(userId)
    if (isNew || conversation.isFailedUnder(username)) void conversation.start(username)
    return conversation
  }

  private find(userId: UserId | undefined): DirectConversation | undefined {
    return userId === undefined ? undefined : this.open.get(userId)
  }
}
