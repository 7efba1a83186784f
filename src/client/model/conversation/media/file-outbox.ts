import { Refusal } from '../../../../shared/protocol/refusals.ts'
import type { LiveClient } from '../../../core/live/live-client.ts'
import type { Outbox, OutboxEntry } from '../../../core/live/outbox.ts'
import type { Outcome } from '../../../core/live/socket.ts'
import type { UploadTarget } from '../../media/upload/upload-file.ts'
import { isUnsentFile } from './conversation-files.ts'
import type { OutgoingFiles } from './outgoing-files.ts'

type MessageCommand = 'sendMessage' | 'sendDirectMessage'

/** Sends the messages of the outbox that have a file, and deletes the files of those that have left it. */
export class FileOutbox {
  readonly files: OutgoingFiles
  private readonly live: LiveClient
  private readonly outbox: Outbox

  constructor({ live, outbox }: { live: LiveClient; outbox: Outbox }, files: OutgoingFiles) {
    this.live = live
    this.outbox = outbox
    this.files = files
    this.dropSentFiles()
  }

  /** Once the outbox has restored its entries: files without an entry are deleted, the others shown. */
  restore(): Promise<void> {
    return this.files.restore(new Set(this.outbox.entries.peek().map(({ clientId }) => clientId)))
  }

  /** Uploads the file of a message unless that is done, keeps its id with the message, and sends it. */
  async send<N extends MessageCommand>(entry: OutboxEntry<N>, target: UploadTarget): Promise<Outcome<N>> {
    const { clientId } = entry
    let { input } = entry
    if (isUnsentFile(input)) {
      await this.restore()
      const mediaId = await this.files.upload(clientId, target)
      if (typeof mediaId !== 'number') return mediaId
      const isCancelled = !this.outbox.entries.peek().some((other) => other.clientId === clientId)
      if (isCancelled) return 'disconnected'
      input = { ...input, mediaId }
      this.outbox.update(clientId, { input })
    }
    const outcome = await this.live.request(entry.name, input)
    // The upload has expired: the next try uploads the file again.
    if (outcome instanceof Refusal && outcome.body.code === 'MediaNotFound')
      this.outbox.update(clientId, { input: { ...input, mediaId: null } })
    return outcome
  }

  /** Deletes the files of messages that were sent or discarded. */
  private dropSentFiles(): void {
    let before: readonly OutboxEntry[] = []
    this.outbox.entries.subscribe((entries) => {
      const kept = new Set(entries.map(({ clientId }) => clientId))
      const hasFile = ({ input }: OutboxEntry) => 'mediaId' in input
      for (const entry of before) if (hasFile(entry) && !kept.has(entry.clientId)) this.files.drop(entry.clientId)
      before = entries
    })
  }
}
