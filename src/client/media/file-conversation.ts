import type { MediaType } from '../../shared/media/media.ts'
import type { MessageId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuseLocally } from '../../shared/protocol/refusals.ts'
import { MAX_MESSAGE_LENGTH } from '../../shared/room-chat/limits.ts'
import { normaliseMessage } from '../../shared/room-chat/rules.ts'
import { Conversation, type ConversationPlatform } from '../conversation/conversation.ts'
import type { OutgoingMessage } from '../conversation/outgoing-message.ts'
import type { Bubble } from '../conversation/store/bubble.ts'
import { computed } from '../signal.ts'
import { FileDrafts } from './file-drafts.ts'
import type { OutgoingFile } from './outgoing-file.ts'
import type { OutgoingFiles } from './outgoing-files.ts'
import { MEDIA_TYPES } from './prepare-file.ts'

/** The part of an outbox entry's input that names a file that is not uploaded yet. */
export interface UnsentFile {
  mediaId: null
}

/** A conversation whose messages may have a file. */
export abstract class FileConversation extends Conversation {
  /** The files in the composer. */
  readonly drafts: FileDrafts
  /** Unsent messages with their files. */
  protected readonly unsentWithFiles = computed(() => this.addFiles(this.unsent.value))
  private readonly files: OutgoingFiles

  constructor(platform: ConversationPlatform, files: OutgoingFiles) {
    super(platform)
    this.files = files
    const { uuid: makeKey } = this.environment
    this.drafts = new FileDrafts({ files, makeKey, check: (mediaType) => this.checkFile(mediaType) })
  }

  abstract override checkFile(mediaType: MediaType): Refusal | null
  protected abstract override enqueue(message: OutgoingMessage, file?: UnsentFile): Refusal | null

  override close(): void {
    super.close()
    this.drafts.clear()
  }

  /** Sends the files in the composer, each in a message of its own; the text goes with the first. */
  override send(text: string, replyToId = this.replyingTo.peek()?.id): Refusal | null {
    this.drafts.clearProblem()
    const drafts = this.drafts.list.peek()
    if (drafts.length === 0) return super.send(text, replyToId)
    if (drafts.some(({ isReady }) => !isReady)) return this.drafts.waitUntilReady()
    const refused = drafts.map(({ mediaType }) => this.checkFile(mediaType)).find((refusal) => refusal !== null)
    if (refused) return refused
    for (const [index, { key }] of drafts.entries()) {
      const refusal = index === 0 ? this.enqueueFile(key, text, replyToId) : this.enqueueFile(key)
      if (refusal) return index === 0 ? refusal : this.keepDrafts(refusal)
      this.drafts.forget(key)
    }
    return null
  }

  override async sendFile(file: OutgoingFile, text = ''): Promise<Refusal | null> {
    const key = this.environment.uuid()
    const refusal = this.checkFile(file.mediaType) ?? (await this.files.add(key, file))
    if (refusal) return refusal
    const refused = this.enqueueFile(key, text, this.replyingTo.peek()?.id)
    if (refused) this.files.drop(key)
    return refused
  }

  /** The kinds of files that may be sent now; the composer says why others may not. */
  explainFiles(): MediaType[] {
    const refusals = MEDIA_TYPES.map((kind) => [kind, this.checkFile(kind)] as const)
    const reasons = new Set(refusals.flatMap(([, refusal]) => (refusal ? [refusal.body.message] : [])))
    this.drafts.problem.value = reasons.size > 0 ? [...reasons].join(' ') : null
    return refusals.flatMap(([kind, refusal]) => (refusal ? [] : [kind]))
  }

  /** A message whose file is uploaded is being sent: it stays. */
  override cancelUpload(key: string): void {
    const entry = this.outbox.entries.peek().find(({ clientId }) => clientId === key)
    if (entry && isUnsentFile(entry.input)) this.outbox.remove(key)
  }

  /** The text is sent, so it leaves the composer; the files that the outbox does not take stay, with the reason. */
  private keepDrafts({ body: { message } }: Refusal): null {
    this.drafts.problem.value = message
    return null
  }

  /** Puts a stored file into the outbox. */
  private enqueueFile(clientId: string, text = '', replyToId: MessageId | null = null): Refusal | null {
    const content = normaliseMessage(text.toWellFormed())
    if (content.length > MAX_MESSAGE_LENGTH) return refuseLocally('TooLarge')
    const replyTo = replyToId ? { replyTo: { id: replyToId } } : {}
    const refusal = this.checkLimits() ?? this.enqueue({ clientId, content, ...replyTo }, { mediaId: null })
    if (refusal) return refusal
    this.replyingTo.value = null
    this.store.leaveScrollback()
    return null
  }

  private addFiles(unsent: readonly Bubble[]): Bubble[] {
    const files = this.files.media.value
    return unsent.map((bubble) => {
      const file = files.get(bubble.key)
      if (!file) return bubble
      const { upload, ...media } = file
      return { ...bubble, media: upload && bubble.status === 'pending' ? file : media }
    })
  }
}

/** Whether a message has a file that must be uploaded before it is sent. */
export function isUnsentFile(input: object): input is UnsentFile {
  return 'mediaId' in input && input.mediaId === null
}
