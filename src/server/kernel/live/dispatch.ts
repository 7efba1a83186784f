import * as v from 'valibot'
import { type CommandName, commands } from '../../../shared/protocol/catalogue.ts'
import type { CommandSpec } from '../../../shared/protocol/define.ts'
import {
  type ClientValue,
  CloseCode,
  decodeClientFrame,
  encode,
  Kind,
  MAX_FRAME_BYTES,
  type Payload,
  type ServerValue,
} from '../../../shared/protocol/frame.ts'
import { Refusal, type RefusalCode, refuse } from '../../../shared/protocol/refusals.ts'
import { unreachable } from '../../../shared/protocol/unreachable.ts'
import type { AppContext } from '../app-context.ts'
import { checkAccess, checkInput, refuseFailure } from '../http/check-access.ts'
import { checkAdminToken } from './admin-connections.ts'
import { consumeCommand } from './command-rate-limit.ts'
import { type Connection, isOpen } from './connection.ts'
import { AnswerWithFollowUp, type HandlerResult } from './handler.ts'

/** More values than this during a handshake or a suspension close the connection. */
const MAX_QUEUED_VALUES = 64

type AnyHandler = (
  appContext: AppContext,
  connection: Connection,
  input: unknown,
) => HandlerResult<object> | Promise<HandlerResult<object>>

/** Handles a client frame: decodes, validates, limits the rate, runs its commands and answers. Never throws. */
export function receiveFrame(appContext: AppContext, connection: Connection, bytes: Uint8Array): void {
  if (connection.isClosed) return
  const values = bytes.length > MAX_FRAME_BYTES ? 'too large' : decodeClientFrame(bytes)
  if (values === 'too large') appContext.publisher.endConnection(connection, CloseCode.frameTooLarge, 'frame too large')
  else if (values === null) appContext.publisher.endConnection(connection, CloseCode.badFrame, 'not a valid frame')
  else for (const value of values) handleOrQueue(appContext, connection, value)
}

function handleOrQueue(appContext: AppContext, connection: Connection, value: ClientValue): void {
  const { state } = connection
  switch (state.name) {
    case 'awaitingHello':
      return void answerCommand(appContext, connection, value)
    case 'open':
      if (state.suspension && nameOf(value) !== 'userConnected') queueValue(appContext, connection, state, value)
      else void answerCommand(appContext, connection, value)
      return
    case 'handshaking':
      queueValue(appContext, connection, state, value)
      return
    case 'closed':
      return
    default:
      unreachable(state)
  }
}

function queueValue(
  { publisher }: AppContext,
  connection: Connection,
  { queue }: { queue: ClientValue[] },
  value: ClientValue,
): void {
  if (queue.push(value) > MAX_QUEUED_VALUES) publisher.endConnection(connection, CloseCode.rateLimited, 'too early')
}

function nameOf(value: ClientValue): string {
  return value[0] === Kind.request ? value[2] : value[1]
}

async function answerCommand(appContext: AppContext, connection: Connection, value: ClientValue): Promise<void> {
  const [kind, id, name, payload] = value[0] === Kind.request ? value : [value[0], null, value[1], value[2]]
  connection.rateLimit.beginCommand()
  const outcome = await runCommand(appContext, connection, name, payload)
  connection.rateLimit.endCommand()
  const refused = outcome instanceof Refusal ? outcome.body : null
  appContext.metrics.recordCommand(isCommand(name) ? name : 'unknown', refused?.code ?? 'ok')
  if (kind === Kind.request) {
    const answer = outcome instanceof AnswerWithFollowUp ? outcome.answer : outcome
    const reply: ServerValue = refused ? [Kind.refusal, id, refused] : [Kind.answer, id, answer as Payload]
    appContext.publisher.enqueueAnswer(connection, encode(reply))
  }
  if (outcome instanceof AnswerWithFollowUp) outcome.afterAnswer()
  if (name === 'hello' || (name === 'userConnected' && isOpen(connection)))
    finishHandshake(appContext, connection, refused?.code)
  if (refused?.code === 'RateLimited' && connection.rateLimit.isAbusive()) {
    appContext.publisher.endConnection(connection, CloseCode.rateLimited, 'too many commands')
  }
}

/** Closes the connection when it showed no valid token or browser id, or the user is banned; else handles the queue. */
function finishHandshake(appContext: AppContext, connection: Connection, refused: RefusalCode | undefined): void {
  const queued = connection.endHandshake()
  if (refused === 'SessionEnded' || refused === 'BrowserIdMissing') {
    appContext.publisher.endConnection(connection, CloseCode.notSignedIn, refused)
  }
  if (refused === 'Banned') appContext.publisher.endConnection(connection, CloseCode.banned, refused)
  for (const value of queued) handleOrQueue(appContext, connection, value)
}

async function runCommand(
  appContext: AppContext,
  connection: Connection,
  name: string,
  payload: Payload,
): Promise<HandlerResult<object>> {
  if (!consumeCommand(appContext.personLimiters, connection, appContext.clock())) return refuse('RateLimited')
  if (connection.rateLimit.hasTooManyWaiting()) return refuse('Busy')
  if (!isCommand(name)) return refuse('UnknownCommand')
  if (appContext.isStopping()) return refuse('ShuttingDown')
  const command: CommandSpec = commands[name]
  const { identity } = connection
  const denied =
    (name === 'hello' ? beginHandshake(connection) : checkAccess(appContext, command, identity?.viewer.role ?? null)) ??
    (command.access === 'rootadmin' ? await checkAdminToken(appContext, connection) : null)
  if (denied) return denied
  const parsed = v.safeParse(command.input, payload, { abortEarly: true })
  if (!parsed.success) return refuse('InvalidInput', { path: v.getDotPath(parsed.issues[0]) ?? '' })
  const refused = identity && checkInput(appContext, command, identity.viewer.userId, identity.person, payload)
  if (refused) return refused
  try {
    return await (appContext.handlers()[name] as AnyHandler)(appContext, connection, parsed.output) // the schema and the handler share the name
  } catch (error) {
    return refuseFailure(appContext, error, { command: name })
  }
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name)
}

function beginHandshake(connection: Connection): Refusal | null {
  if (connection.identity) return refuse('InvalidInput', { message: 'Bağlantı zaten açık.' })
  connection.beginHandshake()
  return null
}
