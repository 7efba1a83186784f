import type { UserId } from '../../../shared/protocol/ids.ts'
import { MESSAGE_FAILED } from '../../../shared/room-chat/rules.ts'
import type { OutboxEntry } from '../../core/live/outbox.ts'
import type { ConversationPlatform } from '../../model/conversation/conversation.ts'
import { ConversationRegistry } from '../../model/conversation/conversation-registry.ts'
import type { FileOutbox } from '../../model/conversation/media/file-outbox.ts'
import type { BubbleSender } from '../../model/conversation/store/message-types.ts'
import { DirectConversation } from './direct-conversation.ts'

const UPLOAD_TARGET = { path: '/dm/upload-media' }

/** The conversations of open windows; sends the outbox entries of all conversations. */
export class DirectConversations extends ConversationRegistry<UserId, DirectConversation> {
  private readonly usernames = new Map<UserId, string>()
  private readonly platform: ConversationPlatform

  /**
   * @param fileOutbox sends messages with files
   * @param viewer the signed-in user; null when the page has none
   */
  constructor(platform: ConversationPlatform, fileOutbox: FileOutbox, viewer: () => BubbleSender | null) {
    super((userId) => new DirectConversation(platform, fileOutbox.files, userId, this.usernames.get(userId) ?? ''))
    this.platform = platform
    const { live, outbox } = platform
    live.onConnected((resumed) => this.open.forEach((conversation) => void conversation.onConnected(resumed)))
    live.on('dmSessionStarted', (started) => {
      const user = viewer()
      if (user) this.open.get(started.recipientInfo.id)?.onStarted(started, user)
      void fileOutbox.restore()
    })
    const refresh = (...ids: UserId[]): void => ids.forEach((id) => void this.open.get(id)?.start())
    live.on('userFollowed', ({ followerId, followingId }) => refresh(followerId, followingId))
    live.on('userBlocked', ({ blockerId, blockedId }) => refresh(blockerId, blockedId))
    live.on('userUnblocked', ({ blockerId, blockedId }) => refresh(blockerId, blockedId))
    live.on('contactVerdictChanged', ({ userId }) => refresh(userId))
    live.on('userUnfollowed', ({ followerId, followingId }) => refresh(followerId, followingId))
    outbox.register('sendDirectMessage', {
      lane: ({ recipientId }) => `dm:${recipientId}`,
      canSend: () => true,
      request: (entry) => ('mediaId' in entry.input ? fileOutbox.send(entry, UPLOAD_TARGET) : undefined),
      onAnswered: ({ input }, { message }) => {
        if (message) this.find(input.recipientId)?.onSent(message)
      },
      retryDelayMs: (entry, { code }) => {
        if (code === 'NotFound') return this.renameRecipient(entry) ? 0 : null
        // A setting, a follow or a block has changed: the composer explains it.
        if (code === 'ContactRefused') void this.find(entry.input.recipientId)?.start()
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

  /** Addresses a message by the present name of its recipient. Returns whether that is another one. */
  private renameRecipient({ clientId, input }: OutboxEntry<'sendDirectMessage'>): boolean {
    const username = this.find(input.recipientId)?.recipient.peek()?.username
    if (username === undefined || username === input.recipientUsername) return false
    this.platform.outbox.update(clientId, { input: { ...input, recipientUsername: username } })
    return true
  }

  /** The open conversation with a user. */
  find(userId: UserId | undefined): DirectConversation | undefined {
    return userId === undefined ? undefined : this.open.get(userId)
  }
}
