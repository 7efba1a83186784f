import * as v from 'valibot'
import { type CommandName, commands } from '../../shared/protocol/catalogue.ts'
import type { Access } from '../../shared/protocol/define.ts'
import {
  type ClientValue,
  CloseCode,
  decodeClientFrame,
  encode,
  Kind,
  MAX_FRAME_BYTES,
  type Payload,
  type ServerValue,
} from '../../shared/protocol/frame.ts'
import { MEMBERS_ONLY_TEXT, Refusal, type RefusalCode, refuse } from '../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import { isSqliteBusy } from '../database/sqlite-busy.ts'
import { isInMaintenanceFor } from '../moderation/access.ts'
import type { Connection } from './connection.ts'
import { AnswerThen, type HandlerResult } from './handler.ts'
import { handlers } from './handlers.ts'

/** Frames that may wait while hello is answered. */
const MAX_PRE_HELLO_VALUES = 64

type AnyHandler = (
  world: AppContext,
  connection: Connection,
  input: unknown,
) => HandlerResult<object> | Promise<HandlerResult<object>>

/** Takes a frame of a client: decodes, validates, limits the rate, carries out, answers. Never throws. */
export function receiveFrame(world: AppContext, connection: Connection, bytes: Uint8Array): void {
  if (connection.closed) return
  const values = bytes.length > MAX_FRAME_BYTES ? 'too large' : decodeClientFrame(bytes)
  if (values === 'too large') world.publisher.endConnection(connection, CloseCode.frameTooLarge, 'frame too large')
  else if (values === null) world.publisher.endConnection(connection, CloseCode.badFrame, 'not a valid frame')
  else for (const value of values) handleOrQueue(world, connection, value)
}

/** While hello is under way, what comes after it waits its turn. */
function handleOrQueue(world: AppContext, connection: Connection, value: ClientValue): void {
  if (connection.closed) return
  if (!connection.isHandshaking) return void answerCommand(world, connection, value)
  if (connection.preHelloQueue.push(value) > MAX_PRE_HELLO_VALUES)
    world.publisher.endConnection(connection, CloseCode.rateLimited, 'too early')
}

async function answerCommand(world: AppContext, connection: Connection, value: ClientValue): Promise<void> {
  const [kind, id, name, payload] = value[0] === Kind.request ? value : [value[0], null, value[1], value[2]]
  const outcome = await runCommand(world, connection, name, payload)
  const refused = outcome instanceof Refusal ? outcome.body : null
  world.metrics.recordCommand(isCommand(name) ? name : 'unknown', refused?.code ?? 'ok')
  if (kind === Kind.request) {
    const answer = outcome instanceof AnswerThen ? outcome.answer : outcome
    const said: ServerValue = refused ? [Kind.refusal, id, refused] : [Kind.answer, id, answer as Payload]
    world.publisher.enqueueAnswer(connection, encode(said))
  }
  if (outcome instanceof AnswerThen) outcome.afterAnswer()
  if (name === 'hello') finishHandshake(world, connection, refused?.code)
  else if (refused?.code === 'RateLimited' && connection.rateLimit.isAbusive()) {
    world.publisher.endConnection(connection, CloseCode.rateLimited, 'too many commands')
  }
}

/** A hello without a session or a browser id, or of somebody banned, ends the connection; after any other, what waited has its turn. */
function finishHandshake(world: AppContext, connection: Connection, refused: RefusalCode | undefined): void {
  connection.isHandshaking = false
  if (refused === 'SessionEnded' || refused === 'BrowserIdMissing') {
    world.publisher.endConnection(connection, CloseCode.notSignedIn, refused)
  }
  if (refused === 'Banned') world.publisher.endConnection(connection, CloseCode.banned, refused)
  for (const early of connection.preHelloQueue.splice(0)) handleOrQueue(world, connection, early)
}

async function runCommand(
  world: AppContext,
  connection: Connection,
  name: string,
  payload: Payload,
): Promise<HandlerResult<object>> {
  if (!connection.rateLimit.tryConsume(world.clock())) return refuse('RateLimited')
  if (!isCommand(name)) return refuse('UnknownCommand')
  if (world.isStopping()) return refuse('ShuttingDown')
  const denied = checkAccess(world, connection, name)
  if (denied) return denied
  const parsed = v.safeParse(commands[name].input, payload, { abortEarly: true })
  if (!parsed.success) return refuse('InvalidInput', { path: v.getDotPath(parsed.issues[0]) ?? '' })
  if (!hasSessionIdentity(connection, name, payload)) return refuse('ActorMismatch')
  try {
    return await (handlers[name] as AnyHandler)(world, connection, parsed.output) // the schema and the handler share the name
  } catch (error) {
    if (isSqliteBusy(error)) return refuse('Busy')
    world.log.error({ err: error, command: name }, 'a command failed')
    return refuse('Failed')
  }
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name)
}

function checkAccess(world: AppContext, connection: Connection, name: CommandName): Refusal | null {
  const { identity } = connection
  if (name === 'hello') {
    if (identity) return refuse('InvalidInput', { message: 'Bağlantı zaten açık.' })
    connection.isHandshaking = true
    return null
  }
  if (!identity) return refuse('NotSignedIn')
  const { role } = identity.viewer
  const access: Access = commands[name].access
  if (access === 'rootadmin' && role !== 'rootadmin') return refuse('Forbidden')
  if (access === 'member' && role === 'guest') return refuse('Forbidden', { message: MEMBERS_ONLY_TEXT })
  return isInMaintenanceFor(world, role) ? refuse('Maintenance') : null
}

/** A client may say who it is, as a name, an id or an object with either; it must be who the session says. */
function hasSessionIdentity(connection: Connection, name: CommandName, payload: Payload): boolean {
  const person = connection.identity?.person
  if (!person) return true
  const agrees = (said: unknown): boolean => {
    if (said === undefined) return true
    if (typeof said === 'string') return said === person.username
    if (typeof said === 'number') return said === person.id
    if (typeof said !== 'object' || said === null || Array.isArray(said)) return false
    const { id, username } = said as { id?: unknown; username?: unknown }
    return agrees(id) && agrees(username)
  }
  return (commands[name].identityFields ?? []).every((field) => agrees(payload[field]))
}
