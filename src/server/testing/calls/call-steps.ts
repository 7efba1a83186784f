import type { CallType } from '../../../shared/calls/protocol.ts'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import type { CallTab } from './call-cluster.ts'
import { ANSWER, OFFER } from './descriptions.ts'

/** A client that sends commands. */
type Sender = Pick<CallTab, 'request'>

export const codeOf = (answer: object) => ('code' in answer ? (answer as RefusalBody).code : null)

/** Calls a user. */
export const request = (tab: Sender, recipientUsername: string, callType: CallType = 'voice') =>
  tab.request('dmVoiceCallRequest', { recipientUsername, callType })

/** Calls a user and returns the call's id. */
export async function ring(tab: Sender, recipientUsername: string, callType: CallType = 'voice'): Promise<string> {
  const answer = await request(tab, recipientUsername, callType)
  if (!('callId' in answer)) throw new Error(JSON.stringify(answer))
  return answer.callId
}

export const sendOffer = (tab: Sender, callId: string, negotiation = 1, sdp = OFFER, isNewConnection = false) =>
  tab.request('dmWebRTCOffer', { callId, negotiation, sdp, isNewConnection })

export const sendAnswer = (tab: Sender, callId: string, negotiation = 1, sdp = ANSWER) =>
  tab.request('dmWebRTCAnswer', { callId, negotiation, sdp })

export const respond = (tab: Sender, callId: string, accepted: boolean) =>
  tab.request('dmVoiceCallResponse', { callId, accepted })

/** The reason of the last `dmEndCall`. */
export const endOf = (tab: CallTab) => tab.received('dmEndCall').at(-1)?.reason ?? null
