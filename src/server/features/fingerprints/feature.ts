import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Feature } from '../../kernel/feature.ts'
import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { fingerprintOf } from '../../model/fingerprints/access.ts'
import { areFingerprintsCurrent } from '../../model/fingerprints/queries.ts'
import { findFingerprintBan } from '../../model/restrictions/queries.ts'
import { touchAccountMarks } from './touch-fingerprints.ts'

const live: LiveHooks = {
  /** Refuses a banned browser or address; otherwise records the fingerprints of the account if the stored ones are not current. */
  onHello({ context, connection, reader, actor, user, session, input }) {
    const { address, browserCookie: cookie } = connection
    const shown = fingerprintOf(context, { browserId: input.browserId, cookie, address })
    // Without the cookie, the browser of the sign-in counts as the one that connects.
    const fingerprint = { ...shown, cookieHash: shown.cookieHash ?? session.browserHash }
    const entry = { role: user.role, fingerprint, enteredAt: session.createdAt }
    const refusal = findFingerprintBan(reader, entry, context.clock())
    if (refusal instanceof Refusal) return refusal
    if (areFingerprintsCurrent(reader, user.id, fingerprint, context.clock())) return {}
    return { afterOpen: () => void context.execute(touchAccountMarks, actor, fingerprint) }
  },
}

/** The browsers and addresses of accounts. */
export function createFeature(): Feature {
  return { live }
}
