import type { MediaType } from '../../../../shared/media/media.ts'
import type { MessageId } from '../../../../shared/protocol/ids.ts'
import type { Refusal } from '../../../../shared/protocol/refusals.ts'
import type { Outbox } from '../../../core/live/outbox.ts'
import { signal } from '../../../core/signals/signal.ts'
import type { OutgoingFile } from '../../media/upload/outgoing-file.ts'
import { MEDIA_TYPES } from '../../media/upload/prepare-file.ts'
import type { Conversation } from '../conversation.ts'
import type { Bubble, BubbleMedia } from '../store/message-types.ts'
import { FileDrafts } from './file-drafts.ts'
import type { OutgoingFiles } from './outgoing-files.ts'

interface ConversationFilesPlatform {
  conversation: Pick<Conversation, 'sendMessage' | 'replyingTo' | 'environment'>
  files: OutgoingFiles
  outbox: Outbox
  /** Why the viewer may not send files of a type now; null where they may. Reads signals. */
  check(mediaType: MediaType): Refusal | null
}

/** The files of a conversation: those in its composer, and those of its unsent messages. */
export class ConversationFiles {
  /** The files in the composer. */
  readonly drafts: FileDrafts
  /** The recorder while it is open; null until then. */
  readonly recorder = signal<typeof import('./voice-recorder.tsx') | null>(null)
  private readonly platform: ConversationFilesPlatform

  constructor(platform: ConversationFilesPlatform) {
    this.platform = platform
    const { files, conversation, check } = platform
    this.drafts = new FileDrafts({ files, makeKey: conversation.environment.uuid, check })
  }

  check(mediaType: MediaType): Refusal | null {
    return this.platform.check(mediaType)
  }

  /** Why no kind of file may be sent now, in Turkish; null where one may. Reads signals. */
  refusalText(): string | null {
    const refusals = MEDIA_TYPES.map((kind) => this.check(kind))
    return refusals.every((refusal) => refusal !== null) ? (refusals[0]?.body.message ?? null) : null
  }

  /** Sends the files in the composer, each in a message of its own; the text goes with the first. */
  send(text: string, replyToId: MessageId | null | undefined): Refusal | null {
    this.drafts.clearProblem()
    const drafts = this.drafts.list.peek()
    if (drafts.some(({ isReady }) => !isReady)) return this.drafts.waitUntilReady()
    const refused = drafts.map(({ mediaType }) => this.check(mediaType)).find((refusal) => refusal !== null)
    if (refused) return refused
    for (const [index, { key }] of drafts.entries()) {
      const refusal = index === 0 ? this.enqueue(key, text, replyToId) : this.enqueue(key)
      if (refusal) return index === 0 ? refusal : this.keepDrafts(refusal)
      this.drafts.forget(key)
    }
    return null
  }

  /** Sends a file, with a text if there is one. After a refusal nothing is kept. */
  async sendFile(file: OutgoingFile, text = ''): Promise<Refusal | null> {
    const { conversation, files } = this.platform
    const key = conversation.environment.uuid()
    const refusal = this.check(file.mediaType) ?? (await files.add(key, file))
    if (refusal) return refusal
    const refused = this.enqueue(key, text, conversation.replyingTo.peek()?.id)
    if (refused) files.drop(key)
    return refused
  }

  /** The kinds of files that may be sent now; the composer says why others may not. */
  explain(): MediaType[] {
    const refusals = MEDIA_TYPES.map((kind) => [kind, this.check(kind)] as const)
    const reasons = new Set(refusals.flatMap(([, refusal]) => (refusal ? [refusal.body.message] : [])))
    this.drafts.problem.value = reasons.size > 0 ? [...reasons].join(' ') : null
    return refusals.flatMap(([kind, refusal]) => (refusal ? [] : [kind]))
  }

  /** Ends the upload of an unsent message, and discards it. A message whose file is uploaded is being sent: it stays. */
  cancelUpload(key: string): void {
    const { outbox } = this.platform
    const entry = outbox.entries.peek().find(({ clientId }) => clientId === key)
    if (entry && isUnsentFile(entry.input)) outbox.remove(key)
  }

  /** The file of an unsent message as the thread shows it. Reads signals. */
  mediaOf(key: string, status: Bubble['status']): BubbleMedia | undefined {
    const file = this.platform.files.media.value.get(key)
    if (!file || status === 'pending') return file
    const { upload: _, ...media } = file
    return media
  }

  /** The text is sent, so it leaves the composer; the files that the outbox does not take stay, with the reason. */
  private keepDrafts({ body: { message } }: Refusal): null {
    this.drafts.problem.value = message
    return null
  }

  /** Puts a stored file into the outbox. */
  private enqueue(clientId: string, text = '', replyToId?: MessageId | null): Refusal | null {
    return this.platform.conversation.sendMessage(text, replyToId, { clientId, mediaId: null })
  }
}

/** Whether a message has a file that must be uploaded before it is sent. */
export function isUnsentFile(input: object): boolean {
  return 'mediaId' in input && input.mediaId === null
}
