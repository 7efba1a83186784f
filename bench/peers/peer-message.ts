import type { Message } from '../../src/shared/room-chat/message.ts'

/** What a visitor asks of a peer; our own server takes `sendMessage` with the same fields. */
export interface PeerMessageInput {
  roomId: number
  content: string
  clientId: string
}

/** The message that a peer broadcasts: the very fields that ours sends, so that the work is the same. */
export function createPeerMessage(id: number, { roomId, content, clientId }: PeerMessageInput): Message {
  return {
    id,
    roomId,
    content,
    createdAt: Date.now(),
    senderId: 1,
    senderUsername: 'gezgin.0001',
    senderGender: null,
    senderAvatarUrl: null,
    senderIsGuest: true,
    senderRole: 'guest',
    clientId,
  }
}
