import * as v from 'valibot'
import { Gender, Role } from '../accounts/protocol.ts'
import { ClientId, Id, Time } from '../protocol/define.ts'

/** A room message (specification 1, point 3) with what a bubble shows of its sender. */
export const Message = v.object({
  id: Id,
  roomId: Id,
  content: v.string(),
  createdAt: Time,
  senderId: Id,
  senderUsername: v.string(),
  senderGender: v.nullable(Gender),
  senderAvatarUrl: v.nullable(v.string()),
  senderIsGuest: v.boolean(),
  senderRole: Role,
  clientId: ClientId,
})
export type Message = v.InferOutput<typeof Message>
