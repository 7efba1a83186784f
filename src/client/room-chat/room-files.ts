import { Refusal } from '../../shared/protocol/refusals.ts'
import type { OutboxEntry } from '../live/outbox.ts'
import type { Outcome } from '../live/socket.ts'
import { outbox } from '../live/state.ts'
import { ConversationFiles } from '../media/conversation-files.ts'
import { fileOutbox } from '../media/state.ts'
import type { RoomConversation } from './room-conversation.ts'

/** The files of a room's composer and of its unsent messages. */
export function createRoomFiles(conversation: RoomConversation): ConversationFiles {
  void fileOutbox.restore()
  return new ConversationFiles({ conversation, files: fileOutbox.files, outbox, check: () => checkFile(conversation) })
}

/** The preferences of the room, as far as they are known: the server decides. */
function checkFile({ permission, mediaRefusal }: RoomConversation): Refusal | null {
  const { canWrite, placeholder } = permission.value
  const message = canWrite ? mediaRefusal.value : placeholder
  return message === null ? null : new Refusal({ code: 'RoomWriteRefused', message })
}

/** Sends a room's message, after the upload of its file. */
export function sendWithFile(entry: OutboxEntry<'sendMessage'>): Promise<Outcome<'sendMessage'>> {
  return fileOutbox.send(entry, { path: '/media/upload', fields: { roomId: entry.input.roomId } })
}
