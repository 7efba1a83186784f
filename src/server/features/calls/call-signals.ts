import type { CallMedia } from '../../../shared/calls/protocol.ts'
import { endTexts } from '../../../shared/calls/texts.ts'
import type { CommandInput } from '../../../shared/protocol/catalogue.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import { isBlockedBetween } from '../../model/relations/access.ts'
import { isCallAllowed } from './call-access.ts'
import type { AnyCallCommand, CallAnswer, CallSender, SignalName } from './call-commands.ts'
import type { CallHost } from './call-host.ts'
import { findSide, type HostedCall, otherSide, type Participant, sideOfUser, toCurrentCall } from './hosted-call.ts'
import type { RelayCall } from './relay/relay-call.ts'
import type { IcePeer } from './sdp.ts'

type SignalCommand = Exclude<AnyCallCommand, { name: 'dmVoiceCallRequest' }>

const SUCCESS = { success: true } as const

/** For the check of an offer that arrives before there is a relay. */
const NO_PEER: IcePeer = { credentials: { usernameFragment: 'none', password: '0'.repeat(22) }, candidates: [] }

/** What a signal works on: the call and the side whose connection has sent it. */
interface Signal<N extends SignalName> {
  host: CallHost
  call: HostedCall
  side: Participant
  input: CommandInput<N>
}
type OwnSignal = Exclude<SignalName, 'dmVoiceCallResponse' | 'rejoinCall'>

const ownSignals: { [N in OwnSignal]: (signal: Signal<N>) => CallAnswer<N> } = {
  dmWebRTCOffer,
  dmWebRTCAnswer,
  dmWebRTCIceCandidate,
  dmEndCall,
  dmCallMedia,
  dmCallVideo,
  dmRenegotiate,
}

/**
 * Decides on a command about a call. Only the connections of its two sides send signals; a call of other users and one that
 * is over are refused alike.
 */
export function handleSignal(host: CallHost, call: HostedCall, command: SignalCommand): CallAnswer {
  const { sender } = command
  if (command.name === 'dmVoiceCallResponse') return respond(host, call, sender, command.input)
  if (command.name === 'rejoinCall') return rejoin(host, call, sender)
  const side = findSide(call, sender) ?? (command.name === 'dmEndCall' ? sideToEnd(call, sender) : null)
  if (!side) return refuse('NoSuchCall')
  const handler = ownSignals[command.name] as (signal: Signal<OwnSignal>) => CallAnswer // the input has the handler's name
  return handler({ host, call, side, input: command.input as never })
}

/** A user may also end a call whose connection is lost, and decline one that rings. */
function sideToEnd(call: HostedCall, { userId }: CallSender): Participant | null {
  const side = sideOfUser(call, userId)
  return side && (side.connection === null || side.lostAt !== null) ? side : null
}

function respond(
  host: CallHost,
  call: HostedCall,
  sender: CallSender,
  { accepted, isMicrophoneOn, isCameraOn, isScreenShared }: CommandInput<'dmVoiceCallResponse'>,
): CallAnswer<'dmVoiceCallResponse'> {
  if (call.connectedAt !== null || sideOfUser(call, sender.userId)?.role !== 'callee') return refuse('NoSuchCall')
  const { media } = call.callee
  call.callee.media = {
    isMicrophoneOn: isMicrophoneOn ?? media.isMicrophoneOn,
    isCameraOn: isCameraOn ?? media.isCameraOn,
    isScreenShared: isScreenShared ?? media.isScreenShared,
  }
  if (accepted) accept(host, call, sender)
  else host.decline(call, 'declined', sender)
  return SUCCESS
}

/** The permission counts at the moment of the acceptance too. */
function accept(host: CallHost, call: HostedCall, sender: CallSender): void {
  const { events, relay, clock } = host.options
  const { callId, caller, callee } = call
  callee.connection = sender
  const isAllowed = isCallAllowed(host.options.reader, call)
  call.relay = isAllowed ? relay.openCall(() => host.end(call, 'connectionLost')) : null
  if (!call.relay) {
    host.end(call, isAllowed ? 'failed' : 'refused')
    return
  }
  call.connectedAt = clock()
  host.announce(call)
  host.refundCharges(call)
  const toCaller = { userId: caller.user.id, connection: caller.connection }
  const toCallee = { userId: callee.user.id, connection: sender }
  events.deliver(toCaller, 'dmVoiceCallResponse', { callId, accepted: true, ...callee.media })
  const end = { callId, reason: 'answeredElsewhere', text: endTexts.answeredElsewhere } as const
  events.deliver({ userId: callee.user.id, connection: null, except: sender }, 'dmEndCall', end)
  events.deliver(toCallee, 'dmCallMedia', { callId, ...caller.media })
  if (call.offer) sendOffer(host, call, call.offer)
}

function rejoin(host: CallHost, call: HostedCall, sender: CallSender): CallAnswer<'rejoinCall'> {
  const side = sideOfUser(call, sender.userId)
  if (!side?.connection) return refuse('NoSuchCall')
  const { sessionId, tabId } = side.connection
  const isSameTab = tabId !== null && tabId === sender.tabId && sessionId === sender.sessionId
  if (side.lostAt === null && !isSameTab) return refuse('NoSuchCall')
  // The event of a block is missed when the log is replaced, as in a failover; all connections close then.
  if (!call.isStaff && isBlockedBetween(host.options.reader, call.caller.user.id, call.callee.user.id)) {
    host.end(call, 'refused')
    return refuse('NoSuchCall')
  }
  side.connection = sender
  side.lostAt = null
  host.sendDescriptionAgain(call, side)
  return { success: true, call: toCurrentCall(call, side) }
}

function dmWebRTCOffer({ host, call, side, input }: Signal<'dmWebRTCOffer'>): CallAnswer<'dmWebRTCOffer'> {
  if (side.role !== 'caller') return refuse('NoSuchCall')
  const { negotiation, sdp, isNewConnection } = input
  if (negotiation <= (call.offer?.negotiation ?? 0)) return refuse('InvalidInput', { path: 'negotiation' })
  if (rewrite(host, sdp, 'offer', NO_PEER) === null) return refuse('InvalidInput', { path: 'sdp' })
  const isRestart = call.offer !== null && usernameFragmentOf(call.offer.sdp) !== usernameFragmentOf(sdp)
  call.offer = { negotiation, sdp, isNewConnection: isNewConnection ?? false }
  call.sentAnswer = null
  call.renegotiation = null
  // An ICE restart changes the credentials of both ends of each leg (RFC 8839, section 4.4.1).
  if (call.relay && isRestart) for (const leg of call.relay.legs) leg.restart()
  if (call.relay) sendOffer(host, call, call.offer)
  return SUCCESS
}

function sendOffer(host: CallHost, call: HostedCall, { sdp, ...offer }: NonNullable<HostedCall['offer']>): void {
  const { callId, callee, relay } = call
  const rewritten = relay && rewrite(host, sdp, 'offer', peerOf(relay, 1))
  if (!rewritten) return
  call.sentOffer = { ...offer, sdp: rewritten }
  const to = { userId: callee.user.id, connection: callee.connection }
  host.options.events.deliver(to, 'dmWebRTCOffer', { callId, ...call.sentOffer })
}

function dmWebRTCAnswer({ host, call, side, input }: Signal<'dmWebRTCAnswer'>): CallAnswer<'dmWebRTCAnswer'> {
  if (side.role !== 'callee') return refuse('NoSuchCall')
  const { callId, relay, caller } = call
  const { negotiation, sdp } = input
  // A second answer, and one to an earlier offer.
  if (!relay || call.sentOffer?.negotiation !== negotiation) return refuse('InvalidInput', { path: 'negotiation' })
  const rewritten = rewrite(host, sdp, 'answer', peerOf(relay, 0))
  if (rewritten === null) return refuse('InvalidInput', { path: 'sdp' })
  call.sentOffer = null
  call.sentAnswer = { negotiation, sdp: rewritten }
  const to = { userId: caller.user.id, connection: caller.connection }
  host.options.events.deliver(to, 'dmWebRTCAnswer', { callId, ...call.sentAnswer })
  return SUCCESS
}

/** The browsers speak to the relay alone: of the candidates only their end is sent on. */
function dmWebRTCIceCandidate({
  host,
  call,
  side,
  input,
}: Signal<'dmWebRTCIceCandidate'>): CallAnswer<'dmWebRTCIceCandidate'> {
  if (!input.candidate) sendToOther(host, call, side, 'dmWebRTCIceCandidate', { candidate: null })
  return SUCCESS
}

function dmEndCall({ host, call, side }: Signal<'dmEndCall'>): CallAnswer<'dmEndCall'> {
  if (side.connection === null) host.decline(call, 'declined', null)
  else host.end(call, 'hangUp')
  return SUCCESS
}

function dmCallMedia({ host, call, side, input }: Signal<'dmCallMedia'>): CallAnswer<'dmCallMedia'> {
  const { callId: _callId, ...media } = input
  side.media = media
  sendToOther(host, call, side, 'dmCallMedia', media)
  return SUCCESS
}

function dmCallVideo({ host, call, side, input: { action } }: Signal<'dmCallVideo'>): CallAnswer<'dmCallVideo'> {
  if (call.connectedAt === null || call.callType === 'video') return refuse('InvalidInput', { path: 'action' })
  const isAnswer = call.videoAskedBy === otherSide(call, side).role
  if (action !== 'ask' && !isAnswer) return refuse('InvalidInput', { path: 'action' })
  // Who asks while the other has asked accepts.
  const told = action === 'ask' && isAnswer ? 'accept' : action
  call.videoAskedBy = told === 'ask' ? side.role : null
  if (told === 'accept') call.callType = 'video'
  sendToOther(host, call, side, 'dmCallVideo', { action: told })
  return SUCCESS
}

function dmRenegotiate({ host, call, side, input }: Signal<'dmRenegotiate'>): CallAnswer<'dmRenegotiate'> {
  if (side.role !== 'callee') return refuse('NoSuchCall')
  // A whole new connection also is an ICE restart.
  const isNewConnection = input.isNewConnection || (call.renegotiation?.isNewConnection ?? false)
  call.renegotiation = { isNewConnection }
  call.sentOffer = null
  sendToOther(host, call, side, 'dmRenegotiate', call.renegotiation)
  return SUCCESS
}

type ForOther = {
  dmWebRTCIceCandidate: { candidate: null }
  dmCallMedia: CallMedia
  dmCallVideo: { action: 'ask' | 'accept' | 'decline' }
  dmRenegotiate: { isNewConnection: boolean }
}

/** Sends to the other side, once it has a connection. */
function sendToOther<N extends keyof ForOther>(
  host: CallHost,
  call: HostedCall,
  side: Participant,
  name: N,
  payload: ForOther[N],
): void {
  const { user, connection } = otherSide(call, side)
  if (!connection) return
  const event = { callId: call.callId, ...payload } as never // the payload of the event with this name
  host.options.events.deliver({ userId: user.id, connection }, name, event)
}

function peerOf({ legs, candidates }: RelayCall, leg: 0 | 1): IcePeer {
  return { credentials: legs[leg].credentials, candidates }
}

function rewrite({ options }: CallHost, sdp: string, type: 'offer' | 'answer', peer: IcePeer): string | null {
  return options.rewriteDescription(sdp, type, peer, (reason) =>
    options.log.info({ type, reason }, 'description refused'),
  )
}

/** The ICE username fragment of a description; it changes with each ICE restart (RFC 8839, section 5.4). */
function usernameFragmentOf(sdp: string): string | null {
  return /^a=ice-ufrag:(\S+)/m.exec(sdp)?.[1] ?? null
}
