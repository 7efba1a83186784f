import * as v from 'valibot'
import { Count, Time } from '../protocol/define.ts'

/** An entry of the action log in a profile (specification 1, point 3, "Action log entry"). */
export const ActionLogEntry = v.object({
  type: v.picklist(['ban', 'system_ban', 'send_gift', 'receive_gift', 'other']),
  banningUsername: v.optional(v.string()),
  targetUsername: v.optional(v.string()),
  roomName: v.optional(v.string()),
  senderUsername: v.optional(v.string()),
  recipientUsername: v.optional(v.string()),
  giftName: v.optional(v.string()),
  giftCost: v.optional(Count),
  timestamp: Time,
  /** What was done, in Turkish. */
  label: v.optional(v.string()),
  reason: v.optional(v.string()),
  /** Until when; a ban without it is indefinite. */
  endsAt: v.optional(Time),
})
export type ActionLogEntry = v.InferOutput<typeof ActionLogEntry>
