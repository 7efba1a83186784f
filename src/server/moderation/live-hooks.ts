import { Refusal, refusals } from '../../shared/protocol/refusals.ts'
import type { Handshake, HelloPart, LiveHooks } from '../live/define-live-hooks.ts'
import { encodeEphemeral } from '../live/publisher.ts'
import { fingerprintOf, isFingerprintCurrent, isInMaintenanceFor, toBanRefusal } from './access.ts'
import { fingerprintOfGuest, getActiveBanOfFingerprint } from './queries.ts'
import { touchFingerprint } from './touch-fingerprint.ts'

export const liveHooks: LiveHooks = {
  onHello(handshake) {
    const { context, connection, user } = handshake
    const guest = user.isGuest === 1 ? checkGuest(handshake) : {}
    if (guest instanceof Refusal) return guest
    return {
      ...guest,
      afterAnswer: () => {
        if (!isInMaintenanceFor(context, user.role)) return
        const { message } = refusals.Maintenance
        context.publisher.enqueue(connection, encodeEphemeral('serverMaintenance', { isOn: true, message }))
      },
    }
  },
}

/** Refuses a guest whose browser or address is banned; otherwise stores the fingerprint if the stored one is not current. */
function checkGuest({ context, connection, reader, actor, user, session, input }: Handshake): HelloPart | Refusal {
  const now = context.clock()
  const fingerprint = fingerprintOf(context, input.browserId, connection.address)
  const ban = getActiveBanOfFingerprint(reader, fingerprint, session.createdAt, now)
  if (ban) return toBanRefusal(ban)
  if (isFingerprintCurrent(reader.get(fingerprintOfGuest, { userId: user.id }), fingerprint, now)) return {}
  return { afterOpen: () => void context.execute(touchFingerprint, actor, fingerprint) }
}
