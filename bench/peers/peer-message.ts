import type { Message } from '../../src/shared/room-chat/message.ts'

/** The input of a message to a peer; `sendMessage` of our server has the same fields. */
export interface PeerMessageInput {
  roomId: number
  content: string
  clientId: string
}

/** The message that a peer broadcasts, with the same fields as ours so that the work is equal. */
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
