import type { UserId } from '../../../shared/protocol/ids.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import { isCallAllowed } from './call-access.ts'
import type { CallHost } from './call-host.ts'
import type { HostedCall } from './hosted-call.ts'

/**
 * Ends calls with the access of their users. The publisher calls this before it delivers the event: in the same turn
 * nothing more is forwarded. A block ends the call of the two, also with a root admin; privacy, a follow and a role end
 * only one that still rings.
 */
export function endCallsWithAccess(
  { publisher, reader }: Pick<AppContext, 'publisher' | 'reader'>,
  host: CallHost,
): void {
  const isOf = ({ caller, callee }: HostedCall, userId: UserId) =>
    caller.user.id === userId || callee.user.id === userId
  const recheck = (userId: UserId) =>
    host.endWhere((call) => call.connectedAt === null && isOf(call, userId) && !isCallAllowed(reader, call), 'refused')
  publisher.on('userBlocked', ({ payload: { blockerId, blockedId } }) =>
    host.endWhere((call) => isOf(call, blockerId) && isOf(call, blockedId), 'refused'),
  )
  publisher.on('systemBannedNotification', ({ row: { stream } }) => {
    const userId = userStream.idOf(stream)
    if (userId !== null) host.endWhere((call) => isOf(call, userId), 'refused')
  })
  // To others a ghost has left.
  publisher.on('ghostBanned', ({ payload: { userId } }) =>
    host.endWhere((call) => isOf(call, userId) && !call.isHidden, 'hangUp'),
  )
  // Every end of a session: log-out, a revoked one, a changed password, an erased account, a released guest.
  publisher.on('forceDisconnect', ({ row: { audience } }) => {
    const sessionId = Number(/^session:(\d+)$/.exec(audience ?? '')?.[1])
    host.endWhere(
      ({ caller, callee }) => [caller, callee].some(({ connection }) => connection?.sessionId === sessionId),
      'refused',
    )
  })
  publisher.on('sessionReplaced', ({ row: { audience }, payload }) =>
    host.moveToSession(Number(/^session:(\d+)$/.exec(audience ?? '')?.[1]), payload.sessionId),
  )
  publisher.on('privacyChanged', ({ payload: { userId } }) => recheck(userId))
  publisher.on('userUnfollowed', ({ payload: { followerId } }) => recheck(followerId))
  publisher.on('userProfileUpdated', ({ payload: { user } }) => recheck(user.id))
}
