import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Outbox, OutboxEntry } from '../../core/live/outbox.ts'
import type { Outcome } from '../../core/live/socket.ts'
import { effect } from '../../core/signals/signal.ts'
import { ConversationFiles } from '../conversation/media/conversation-files.ts'
import type { FileOutbox } from '../conversation/media/file-outbox.ts'
import type { RoomConversation } from './room-conversation.ts'

/** The files of rooms' conversations. Loads after the page. */
export class RoomFiles {
  private readonly fileOutbox: FileOutbox
  private readonly outbox: Outbox

  constructor(fileOutbox: FileOutbox, outbox: Outbox) {
    this.fileOutbox = fileOutbox
    this.outbox = outbox
  }

  /** The files of a room's composer and of its unsent messages. */
  create(conversation: RoomConversation): ConversationFiles {
    const { fileOutbox, outbox } = this
    effect(() => {
      // An open conversation has restored the outbox; before, its files would count as files without a message.
      if (conversation.viewerName.value) queueMicrotask(() => void fileOutbox.restore())
    })
    return new ConversationFiles({
      conversation,
      files: fileOutbox.files,
      outbox,
      check: () => checkFile(conversation),
    })
  }

  /** Sends a room's message, after the upload of its file. */
  send(entry: OutboxEntry<'sendMessage'>): Promise<Outcome<'sendMessage'>> {
    return this.fileOutbox.send(entry, { path: '/media/upload', fields: { roomId: entry.input.roomId } })
  }
}

/** The preferences of the room, as far as they are known: the server decides. */
function checkFile({ permission, mediaRefusal }: RoomConversation): Refusal | null {
  const { canWrite, placeholder } = permission.value
  const message = canWrite ? mediaRefusal.value : placeholder
  return message === null ? null : new Refusal({ code: 'RoomWriteRefused', message })
}
