import type { CallType } from '../../../shared/calls/protocol.ts'
import { callChannels } from '../../../shared/calls/rules.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { checkContact, getParticipants, type Participants } from '../../model/relations/access.ts'
import type { HostedCall } from './hosted-call.ts'

/** Refuses with ContactRefused unless `own` may call `other` in this way now. */
export function checkCall(reader: Pick<Reader, 'get'>, participants: Participants, callType: CallType): Refusal | null {
  return checkContact(reader, callChannels[callType], participants)
}

/** Whether the caller of a call may still call its callee. */
export function isCallAllowed(
  reader: Pick<Reader, 'get'>,
  { caller, callee, callType }: Pick<HostedCall, 'caller' | 'callee' | 'callType'>,
): boolean {
  const participants = getParticipants(reader, caller.user.id, callee.user.id)
  return participants !== undefined && checkCall(reader, participants, callType) === null
}
