import type { Role } from '../../../shared/accounts/protocol.ts'
import type { StoredBanReason } from '../../../shared/moderation/protocol.ts'
import { formatBanNotice } from '../../../shared/moderation/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Fingerprint } from '../fingerprints/queries.ts'
import { getActiveBan, getActiveBanOfFingerprint } from './queries.ts'

/** The Banned refusal with the reason and the end of the ban. */
export function toBanRefusal({ reason, endsAt }: { reason: StoredBanReason; endsAt: number | null }): Refusal {
  return refuse('Banned', { message: formatBanNotice({ banReason: reason, endsAt }) })
}

/** The Banned refusal when the account has an active ban, else null. */
export function findBanRefusal(
  { reader, clock }: Pick<AppContext, 'reader' | 'clock'>,
  userId: UserId,
): Refusal | null {
  const ban = getActiveBan(reader, userId, clock())
  return ban ? toBanRefusal(ban) : null
}

/**
 * The refusal of a person who enters the site from a banned browser or address, else null. The only decision on both, made
 * at each sign-in, sign-up and hello. A banned address applies to guests and sign-ups; root admins are never refused.
 * @param role of the account; that of a guest at a sign-up
 */
export function findFingerprintBan(
  reader: Pick<Reader, 'get'>,
  { role, fingerprint, enteredAt }: { role: Role; fingerprint: Fingerprint; enteredAt: number },
  now: number,
): Refusal | null {
  if (role === 'rootadmin') return null
  const covered = role === 'guest' ? fingerprint : { ...fingerprint, addressHash: null }
  const ban = getActiveBanOfFingerprint(reader, covered, enteredAt, now)
  return ban ? toBanRefusal(ban) : null
}
