import { requestIdOf } from '../../../shared/calls/call-request-id.ts'
import type { CallType } from '../../../shared/calls/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { addNotification, hasRequestNotification } from '../../model/notifications/transactions.ts'
import { getParticipants } from '../../model/relations/access.ts'
import { checkCall } from './call-access.ts'

export interface MissedCall {
  callId: string
  callType: CallType
  callerId: UserId
  calleeId: UserId
}

/**
 * Notifies the callee of a call that was not answered, or that came while they were away or in another call. A call is
 * recorded once; not if the caller may not call them any more.
 */
export const recordMissedCall = defineCommand({
  name: 'recordMissedCall',
  keepResult: 'never',
  run(tx: Transaction, _actor: Actor | null, { callId, callType, callerId, calleeId }: MissedCall): { success: true } {
    const participants = getParticipants(tx, callerId, calleeId)
    const requestId = requestIdOf(callId)
    const isAllowed = participants && checkCall(tx, participants, callType) === null
    if (isAllowed && !hasRequestNotification(tx, { type: 'dmCall', requestId }, calleeId))
      addNotification(tx, calleeId, { type: 'dmCall', senderId: callerId, content: callType, requestId })
    return { success: true }
  },
})
