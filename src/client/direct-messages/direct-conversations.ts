import type { UserId } from '../../shared/protocol/ids.ts'
import { MESSAGE_FAILED } from '../../shared/room-chat/rules.ts'
import type { ConversationPlatform } from '../conversation/conversation.ts'
import { ConversationRegistry } from '../conversation/conversation-registry.ts'
import type { BubbleSender } from '../conversation/store/bubble.ts'
import type { OutboxEntry } from '../live/outbox.ts'
import type { Outcome } from '../live/socket.ts'
import { isUnsentFile } from '../media/file-conversation.ts'
import type { OutgoingFiles } from '../media/outgoing-files.ts'
import { DirectConversation } from './direct-conversation.ts'

/** The conversations of open windows; sends the outbox entries of all conversations. */
export class DirectConversations extends ConversationRegistry<UserId, DirectConversation> {
  private readonly usernames = new Map<UserId, string>()
  private readonly platform: ConversationPlatform
  private readonly files: OutgoingFiles

  /**
   * @param files those of unsent messages
   * @param viewer the signed-in user; null when the page has none
   */
  constructor(platform: ConversationPlatform, files: OutgoingFiles, viewer: () => BubbleSender | null) {
    super((userId) => new DirectConversation(platform, files, userId, this.usernames.get(userId) ?? ''))
    this.platform = platform
    this.files = files
    const { live, outbox } = platform
    live.onConnected((resumed) => this.open.forEach((conversation) => void conversation.onConnected(resumed)))
    live.on('dmSessionStarted', (started) => {
      const user = viewer()
      if (user) this.open.get(started.recipientInfo.id)?.onStarted(started, user)
      void this.restoreFiles()
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
      request: (entry) => (isUnsentFile(entry.input) ? this.sendWithFile(entry) : undefined),
      onAnswered: ({ input }, { message }) => {
        if (message) this.find(input.recipientId)?.onSent(message)
      },
      retryDelayMs: (entry, { code }) => {
        const { clientId, input } = entry
        if (code === 'NotFound') return this.renameRecipient(entry) ? 0 : null
        // The upload has expired: the next try uploads the file again.
        if (code === 'MediaNotFound') outbox.update(clientId, { input: { ...input, mediaId: null } })
        // A setting, a follow or a block has changed: the composer explains it.
        if (code === 'ContactRefused') void this.find(input.recipientId)?.start()
        return null
      },
      onDelayed: ({ input, clientId }, refusal) => this.find(input.recipientId)?.onDelayed(clientId, refusal),
      timeoutMessage: MESSAGE_FAILED,
    })
    this.dropSentFiles()
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

  /** Uploads the file of a message, stores its id with the message, and sends it. */
  private async sendWithFile(entry: OutboxEntry<'sendDirectMessage'>): Promise<Outcome<'sendDirectMessage'>> {
    const { live, outbox } = this.platform
    await this.restoreFiles()
    const mediaId = await this.files.upload(entry.clientId)
    if (typeof mediaId !== 'number') return mediaId
    const isCancelled = !outbox.entries.peek().some(({ clientId }) => clientId === entry.clientId)
    if (isCancelled) return 'disconnected'
    const input = { ...entry.input, mediaId }
    outbox.update(entry.clientId, { input })
    return live.request('sendDirectMessage', input)
  }

  /** Addresses a message by the present name of its recipient. Answers whether that is another one. */
  private renameRecipient({ clientId, input }: OutboxEntry<'sendDirectMessage'>): boolean {
    const username = this.find(input.recipientId)?.recipient.peek()?.username
    if (username === undefined || username === input.recipientUsername) return false
    this.platform.outbox.update(clientId, { input: { ...input, recipientUsername: username } })
    return true
  }

  /** Once the outbox has restored its entries: files without an entry are deleted. */
  private restoreFiles(): Promise<void> {
    return this.files.restore(new Set(this.platform.outbox.entries.peek().map(({ clientId }) => clientId)))
  }

  /** Deletes the files of messages that have left the outbox: they were sent or discarded. */
  private dropSentFiles(): void {
    let before: readonly OutboxEntry[] = []
    this.platform.outbox.entries.subscribe((entries) => {
      const kept = new Set(entries.map(({ clientId }) => clientId))
      const hasFile = ({ input }: OutboxEntry) => 'mediaId' in input
      for (const entry of before) if (hasFile(entry) && !kept.has(entry.clientId)) this.files.drop(entry.clientId)
      before = entries
    })
  }

  private find(userId: UserId | undefined): DirectConversation | undefined {
    return userId === undefined ? undefined : this.open.get(userId)
  }
}
