import {
  ADDRESS_CALL_LIMIT,
  ADDRESS_SAME_USER_CALL_LIMIT,
  CALL_LIMIT,
  MAX_CALL_SIDES_PER_ADDRESS,
} from '../../../shared/calls/limits.ts'
import { TOO_MANY_CALLS_TEXT } from '../../../shared/calls/texts.ts'
import type { CommandAnswer, CommandInput } from '../../../shared/protocol/catalogue.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { addressGroup } from '../../kernel/http/client-address.ts'
import type { Charge } from '../../kernel/limits/person-limiters.ts'
import type { Connection } from '../../kernel/live/connection.ts'
import type { Handler, Handlers } from '../../kernel/live/handler.ts'
import { findRecipient, getParticipants } from '../../model/relations/access.ts'
import { findRestriction } from '../../model/restrictions/queries.ts'
import { checkCall } from './call-access.ts'
import { type AnyCallCommand, type CallSender, type SignalName, signalNames } from './call-commands.ts'
import { usersOf } from './call-directory.ts'
import type { CallService } from './call-service.ts'
import { findCrossing } from './start-call.ts'

type Request = CommandInput<'dmVoiceCallRequest'>
type RequestAnswer = CommandAnswer<'dmVoiceCallRequest'>

/** Starts a call: checks it here, where the caller is known best, and again at the host. */
export const requestCall =
  (calls: CallService): Handler<'dmVoiceCallRequest'> =>
  async (appContext, connection, input) => {
    const sender = calls.senderOf(connection)
    if (!sender) return refuse('NotSignedIn')
    const other = findRecipient(appContext.reader, input.recipientUsername, input.recipientId)
    if (other instanceof Refusal) return other
    const ownCalls = calls.directory.callsOf(sender.userId)
    const crossing = findCrossing(ownCalls, other.id)
    if (crossing) return { success: true, callId: crossing.callId, callType: crossing.callType, role: 'callee' }
    if (ownCalls.length > 0 || !calls.connections.beginRequest(connection)) return refuse('CallBusy')
    try {
      const refused = checkRequest(appContext, calls, connection, sender.userId, other.id, input)
      return refused ?? (await startAtHost(calls, connection, sender, { ...input, recipientId: other.id }))
    } finally {
      calls.connections.endRequest(connection)
    }
  }

function checkRequest(
  { reader, personLimiters, clock, config }: AppContext,
  { connections }: CallService,
  { address, identity }: Connection,
  callerId: UserId,
  calleeId: UserId,
  { callType }: Request,
): Refusal | null {
  const participants = getParticipants(reader, callerId, calleeId)
  if (!participants) return refuse('NotFound')
  const refused =
    checkCall(reader, participants, callType) ?? findRestriction(reader, { kind: 'mute', userId: callerId }, clock())
  if (refused) return refused
  if (identity?.viewer.role === 'rootadmin') return null
  const maxSides = MAX_CALL_SIDES_PER_ADDRESS * config.limitScale
  if (address !== null && connections.countOf(addressGroup(address)) >= maxSides) return refuse('Busy')
  const waitMs = personLimiters.consumeAll(callCharges(callerId, calleeId, address), clock())
  return waitMs > 0 ? refuse('RateLimited', { waitMs, message: TOO_MANY_CALLS_TEXT }) : null
}

async function startAtHost(
  calls: CallService,
  connection: Connection,
  sender: CallSender,
  input: Request & { recipientId: UserId },
): Promise<RequestAnswer | Refusal> {
  const host = calls.hostFor(input.recipientId)
  const command: AnyCallCommand = { name: 'dmVoiceCallRequest', sender, input }
  const answer = await calls.submit(host, command, () => calls.cancelStart(host, connection))
  if (answer instanceof Refusal) return answer
  const started = answer as RequestAnswer // the answer of this command
  if (started.role === 'caller' && calls.directory.find(started.callId))
    calls.connections.join(connection, { callId: started.callId, host, isCalling: true })
  return started
}

/** A handler for each command about a call that exists. */
export function signalHandlers(calls: CallService): Pick<Handlers, SignalName> {
  const handlers = signalNames.map((name) => [name, signalHandler(calls, name)])
  return Object.fromEntries(handlers) as Pick<Handlers, SignalName> // each handler by its name
}

/** Passes a signal to the host of its call. A call of other users is refused like one that does not exist. */
function signalHandler<N extends SignalName>(calls: CallService, name: N): Handler<N> {
  return async (_, connection, input) => {
    const sender = calls.senderOf(connection)
    if (!sender) return refuse('NotSignedIn')
    const call = calls.directory.find(input.callId)
    if (!call || !usersOf(call).includes(sender.userId)) return refuse('NoSuchCall')
    const { callId, host, isActive } = call
    const answer = await calls.submit(host, { name, sender, input } as AnyCallCommand) // the input has the name's schema
    const joins = name === 'rejoinCall' || (name === 'dmVoiceCallResponse' && 'accepted' in input && input.accepted)
    if (joins && !(answer instanceof Refusal) && calls.directory.find(callId))
      calls.connections.join(connection, { callId, host, isCalling: name === 'rejoinCall' && !isActive })
    return answer as CommandAnswer<N> | Refusal // the answer of this command
  }
}

/**
 * What a call costs its caller and their address, in their region. The calls to one user are counted by the host
 * (call-host.ts).
 * @param address null when it cannot be attributed to the caller (http/client-address.ts)
 */
function callCharges(callerId: UserId, calleeId: UserId, address: string | null): Charge[] {
  const charges: Charge[] = [{ limit: CALL_LIMIT, key: callerId, points: 1 }]
  if (address === null) return charges
  const group = addressGroup(address)
  return [
    ...charges,
    { limit: ADDRESS_CALL_LIMIT, key: group, points: 1 },
    { limit: ADDRESS_SAME_USER_CALL_LIMIT, key: `${group}>${calleeId}`, points: 1 },
  ]
}
