import { createHmac } from 'node:crypto'
import type { Role } from '../../shared/accounts/protocol.ts'
import type { StoredBanReason } from '../../shared/moderation/protocol.ts'
import { formatBanNotice } from '../../shared/moderation/rules.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import { addressGroup } from '../http/client-address.ts'
import { type GuestFingerprint, getActiveBan, getMaintenanceSince } from './queries.ts'

/** Minimum age of a fingerprint's `lastSeenAt` before it is written again. */
const FINGERPRINT_TOUCH_INTERVAL_MS = 60 * 60_000

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
 * The fingerprint of a guest's browser and address. The hashes are keyed with a secret of the site, so that the rows
 * alone do not reveal addresses; they are never sent to a client.
 * @param address null when it cannot be attributed to the guest (http/client-address.ts, `attributableAddress`)
 */
export function fingerprintOf(
  { keys }: Pick<AppContext, 'keys'>,
  browserId: string | null,
  address: string | null,
): GuestFingerprint {
  const hash = (kind: string, value: string) =>
    createHmac('sha256', keys.fingerprint).update(`${kind} ${value}`).digest('base64url')
  return {
    browserHash: browserId === null ? null : hash('browser', browserId),
    addressHash: address === null ? null : hash('address', addressGroup(address)),
  }
}

/** Whether the stored fingerprint equals the guest's and was written recently. */
export function isFingerprintCurrent(
  stored: { browserHash: string | null; addressHash: string | null; lastSeenAt: number } | undefined,
  { browserHash, addressHash }: GuestFingerprint,
  now: number,
): boolean {
  if (!stored || now - stored.lastSeenAt > FINGERPRINT_TOUCH_INTERVAL_MS) return false
  return stored.browserHash === browserHash && (addressHash === null || stored.addressHash === addressHash)
}

/** Whether maintenance closes the site to this role; it never does to root admins. */
export function isInMaintenanceFor({ reader }: Pick<AppContext, 'reader'>, role: Role | null): boolean {
  return role !== 'rootadmin' && getMaintenanceSince(reader) !== null
}
