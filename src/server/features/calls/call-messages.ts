import * as v from 'valibot'
import { CallId, commands, events } from '../../../shared/calls/protocol.ts'
import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import { Count } from '../../../shared/protocol/define.ts'
import { SessionId, UserId } from '../../../shared/protocol/ids.ts'
import { refusals } from '../../../shared/protocol/refusals.ts'
import { type AnyCallCommand, callCommandNames } from './call-commands.ts'
import { CallEntry, MAX_CALLS_PER_REGION } from './call-directory.ts'
import { type CallEventName, callEventNames } from './call-events.ts'

/** Topics of the peer bus. */
export const TOPICS = {
  command: 'calls.command',
  answer: 'calls.answer',
  event: 'calls.event',
  connection: 'calls.connection',
  hello: 'calls.hello',
  directory: 'calls.directory',
} as const

const ConnectionId = Count
const Sender = v.object({
  userId: UserId,
  sessionId: SessionId,
  tabId: v.nullable(v.pipe(v.string(), v.maxLength(128))),
  connectionId: ConnectionId,
})

/** A command of a connection of the sending region. Its input is checked by the command's own schema. */
const CommandMessage = v.object({
  requestId: Count,
  name: v.picklist(callCommandNames),
  sender: Sender,
  input: v.unknown(),
})
const RefusalMessage = v.object({
  code: v.picklist(Object.keys(refusals) as (keyof typeof refusals)[]), // the keys of a plain object
  message: v.pipe(v.string(), v.maxLength(500)),
  path: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
  waitMs: v.exactOptional(v.number()),
})
export const AnswerMessage = v.object({
  requestId: Count,
  name: v.picklist(callCommandNames),
  answer: v.optional(v.unknown()),
  refusal: v.optional(RefusalMessage),
})
/** An event for connections of the receiving region: one of them, or all of the user but one. */
const EventMessage = v.object({
  userId: UserId,
  connectionId: v.nullable(ConnectionId),
  exceptConnectionId: v.nullable(ConnectionId),
  name: v.picklist(callEventNames),
  payload: v.unknown(),
})
/** What became of a connection of the sending region. `callId` null: of all calls that it has started. */
export const ConnectionMessage = v.object({
  callId: v.nullable(CallId),
  connectionId: ConnectionId,
  state: v.picklist(['lost', 'final', 'there']),
  silentMs: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(60_000)),
})
export type ConnectionMessage = v.InferOutput<typeof ConnectionMessage>
/** A user has opened a connection in the sending region. */
export const HelloMessage = v.object({ userId: UserId, connectionId: ConnectionId })
/** A call of the sending region has begun, changed or ended; or all of its calls. */
export const DirectoryMessage = v.variant('kind', [
  v.object({ kind: v.literal('set'), call: CallEntry }),
  v.object({ kind: v.literal('end'), callId: CallId }),
  v.object({ kind: v.literal('whole'), calls: v.pipe(v.array(CallEntry), v.maxLength(MAX_CALLS_PER_REGION)) }),
])
export type DirectoryMessage = v.InferOutput<typeof DirectoryMessage>

/** A command of another region; null if it is not valid. */
export function parseCommand(from: string, payload: unknown): { requestId: number; command: AnyCallCommand } | null {
  const parsed = v.safeParse(CommandMessage, payload)
  if (!parsed.success) return null
  const { requestId, name, sender } = parsed.output
  const input = v.safeParse(commands[name].input, parsed.output.input)
  if (!input.success) return null
  const command = { name, sender: { ...sender, region: from }, input: input.output }
  return { requestId, command: command as AnyCallCommand } // the schema and the command share the name
}

/** The answer to a command, by its schema; null if it is not valid. */
export function parseAnswer(name: keyof typeof commands, answer: unknown): object | null {
  const parsed = v.safeParse(commands[name].answer, answer)
  return parsed.success ? parsed.output : null
}

interface ReceivedEvent {
  userId: UserId
  connectionId: number | null
  exceptConnectionId: number | null
  name: CallEventName
  payload: EventPayload<CallEventName>
}

/** An event of another region; null if it is not valid. */
export function parseEvent(message: unknown): ReceivedEvent | null {
  const parsed = v.safeParse(EventMessage, message)
  if (!parsed.success) return null
  const payload = v.safeParse(events[parsed.output.name].payload, parsed.output.payload)
  return payload.success ? { ...parsed.output, payload: payload.output } : null
}
