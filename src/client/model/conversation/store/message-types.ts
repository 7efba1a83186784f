import type { Person } from '../../../../shared/accounts/protocol.ts'
import type { Media } from '../../../../shared/media/media.ts'
import type { MessageId } from '../../../../shared/protocol/ids.ts'
import type { Message, Quote } from '../../../../shared/room-chat/message.ts'

/** A message of the server, whichever conversation it belongs to. */
export type ConversationMessage = Omit<Message, 'roomId' | 'media' | 'mediaId'> & { media?: BubbleMedia | undefined }

export type BubbleSender = Pick<Person, 'id' | 'username' | 'gender' | 'avatarUrl' | 'isGuest' | 'role'>

/** A message as the thread shows it: a stored one, or an optimistic one of the viewer. */
export interface Bubble {
  /** The clientId of an own message: it stays the same from the first key press to the message of the log. */
  key: string
  /** null until the server has assigned one. */
  id: MessageId | null
  content: string
  media?: BubbleMedia
  /** Epoch milliseconds by the server's clock. */
  createdAt: number
  sender: BubbleSender
  isOwn: boolean
  /** The message that it replies to; absent where it is no reply. */
  replyTo?: Quote
  /** `read`: the other user of a direct conversation has read it. */
  status: 'sent' | 'read' | 'pending' | 'failed'
  /** Why it failed, in Turkish; set with that status. */
  failure?: string
  /** Removed by a moderator: it says so in place of its text. */
  isRemoved?: true
  /** Its sender was ghost-banned: for root admins. */
  isGhost?: true
}

/** A file as the thread shows it. Of an unsent message the paths are URLs of the local file. */
export interface BubbleMedia extends Omit<Media, 'mediaId'> {
  /** The upload of an unsent message. */
  upload?: MediaUpload
}

export interface MediaUpload {
  /** `waiting`: for the messages before it, or for a connection. */
  state: 'waiting' | 'uploading'
  sentBytes: number
  totalBytes: number
}
