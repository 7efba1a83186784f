import type { CommandAnswer, CommandInput } from '../../../shared/protocol/catalogue.ts'
import type { SessionId, UserId } from '../../../shared/protocol/ids.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'

/** The commands about a call that exists, by its `callId`. */
export const signalNames = [
  'dmVoiceCallResponse',
  'dmWebRTCOffer',
  'dmWebRTCAnswer',
  'dmWebRTCIceCandidate',
  'dmEndCall',
  'dmCallMedia',
  'dmCallVideo',
  'dmRenegotiate',
  'rejoinCall',
] as const
export type SignalName = (typeof signalNames)[number]
/** The commands of the live protocol that the host of a call decides. */
export const callCommandNames = ['dmVoiceCallRequest', ...signalNames] as const
export type CallCommandName = (typeof callCommandNames)[number]

/** A connection of any region. */
export interface ConnectionRef {
  region: string
  /** Unique within the process of its region. */
  connectionId: number
}

/** Who sends a command, from which connection. */
export interface CallSender extends ConnectionRef {
  userId: UserId
  sessionId: SessionId
  tabId: string | null
}

/** A command as the region of its sender passes it to the host. */
export interface CallCommand<N extends CallCommandName> {
  name: N
  sender: CallSender
  input: CommandInput<N>
}
export type AnyCallCommand = { [N in CallCommandName]: CallCommand<N> }[CallCommandName]
export type CallAnswer<N extends CallCommandName = CallCommandName> = CommandAnswer<N> | Refusal

export function isSameConnection(one: ConnectionRef, other: ConnectionRef): boolean {
  return one.region === other.region && one.connectionId === other.connectionId
}
