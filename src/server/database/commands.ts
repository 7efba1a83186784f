import type { Refusal } from '../../shared/protocol/refusals.ts'
import { sendMessage } from '../room-chat/send-message.ts'
import { seedHouse } from '../rooms/seed-house.ts'
import { trimLog } from './events.ts'

/** Every command that the writer knows: plain synchronous functions of (transaction, actor, input, moment). */
export const writeCommands = { sendMessage, seedHouse, trimLog }

/** Commands whose answers are kept for ever; others are forgotten after 7 days. */
export const answersKeptForever: ReadonlySet<WriteCommandName> = new Set(['sendMessage'])

export type WriteCommandName = keyof typeof writeCommands
export type WriteInput<N extends WriteCommandName> = Parameters<(typeof writeCommands)[N]>[2]
export type WriteAnswer<N extends WriteCommandName> = Exclude<ReturnType<(typeof writeCommands)[N]>, Refusal>
